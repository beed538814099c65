"""python -m examples.fastapi_host: a FastAPI page whose citations open their sentence, on http://localhost:5500.

HIGHLIGHTER_URL, HIGHLIGHTER_KEY (none on loopback), PORT. Needs fastapi and uvicorn.
"""

from __future__ import annotations

import os

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from examples.citations_page import citations_page
from highlighter.adapters.fastapi_routes import citation_routes

URL, KEY = os.environ.get("HIGHLIGHTER_URL", "http://127.0.0.1:8000"), os.environ.get("HIGHLIGHTER_KEY", "")
PORT = int(os.environ.get("PORT", "5500"))

app = FastAPI()
# Check in `permit` whether the document may be opened, and in a dependency who the reader is.
app.include_router(citation_routes(URL, KEY, origins=[f"http://localhost:{PORT}"]), prefix="/citations")


@app.get("/", response_class=HTMLResponse)
def page() -> str:
    return citations_page(URL)


if __name__ == "__main__":
    uvicorn.run(app, port=PORT)
