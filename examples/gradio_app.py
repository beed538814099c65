"""pip install gradio, then: python examples/gradio_app.py (http://127.0.0.1:7860)."""

import gradio as gr
from framed import answered, frame


def ask(question: str) -> tuple[str, str]:
    text, sources = answered(question, origin="http://127.0.0.1:7860")
    return text, "".join(frame(url, title) for title, url in sources)


gr.Interface(
    ask, gr.Textbox(label="Question"), [gr.Markdown(label="Answer"), gr.HTML()], title="Ask the library"
).launch()
