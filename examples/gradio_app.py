"""pip install gradio, then: python examples/gradio_app.py (http://127.0.0.1:7860)."""

import gradio as gr
from framed import answered, frame


def ask(question: str) -> tuple[str, str]:
    text, sources = answered(question, origin=app.local_url.rstrip("/"))
    return text, "".join(frame(url, title) for title, url in sources)


app = gr.Interface(
    ask,
    gr.Textbox(label="Question"),
    [gr.Textbox(label="Answer"), gr.HTML()],  # not gr.Markdown: what documents say is no Markdown of yours
    title="Ask the library",
    flagging_mode="never",  # it would write answers to files
)
app.launch()
