"""pip install streamlit, then: streamlit run examples/streamlit_app.py (http://localhost:8501)."""

import streamlit as st
from framed import answered

st.title("Ask the library")
if question := st.text_input("Question"):
    text, sources = answered(question, origin="http://localhost:8501")
    st.write(text)
    for title, url in sources:
        st.caption(title)
        st.iframe(url, height=420)
