"""pip install streamlit, then: streamlit run examples/streamlit_app.py (http://localhost:8501)."""

import streamlit as st
from framed import answered

st.title("Ask the library")
if question := st.text_input("Question"):
    text, sources = answered(question, origin=f"http://localhost:{st.get_option('server.port')}")
    st.text(text)  # not st.write: the text of documents is not Markdown
    for title, url in sources:
        with st.container(border=True):
            st.text(title)
            st.iframe(url, height=420)
