"""The WSGI application, for `gunicorn wsgi:app`."""

from highlighter.server.startup import start_application

app = start_application()
