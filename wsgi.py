"""gunicorn wsgi:app"""

from highlighter.app import create_app
from highlighter.gate.mode import mode

app = create_app()
app.services.start()
print(mode(app.services.settings, app.services.keys).says, flush=True)
