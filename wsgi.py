"""gunicorn wsgi:app"""

from highlighter.web.server.startup import start_application

app = start_application()
