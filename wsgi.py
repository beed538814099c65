"""gunicorn wsgi:app"""

from highlighter.app import create_app

app = create_app()
app.services.start()
