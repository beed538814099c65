"""gunicorn wsgi:app"""

from highlighter.app import create_app
from highlighter.gate.mode import said
from highlighter.request_ids import log_with_ids

log_with_ids()
app = create_app()
app.services.start()
print(said(app.services.settings, app.services.keys), flush=True)
