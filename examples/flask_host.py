"""python -m examples.flask_host: a Flask page whose citations open their sentence, on http://localhost:5500.

HIGHLIGHTER_URL, HIGHLIGHTER_KEY (none on loopback), PORT.
"""

from __future__ import annotations

import os

from flask import Flask

from examples.citations_page import citations_page
from highlighter.adapters.flask_routes import citation_routes

URL, KEY = os.environ.get("HIGHLIGHTER_URL", "http://127.0.0.1:8000"), os.environ.get("HIGHLIGHTER_KEY", "")
PORT = int(os.environ.get("PORT", "5500"))

app = Flask(__name__)
# Check in `permit` whether this reader may see the document: permit=lambda wanted: ...
app.register_blueprint(citation_routes(URL, KEY, origins=[f"http://localhost:{PORT}"]), url_prefix="/citations")


@app.get("/")
def page() -> str:
    return citations_page(URL)


if __name__ == "__main__":
    app.run(port=PORT)
