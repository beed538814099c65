"""gunicorn wsgi:app"""

from highlighter.server.start import start_application

app = start_application()
