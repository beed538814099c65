"""The HTTP server: gunicorn, with its own worker class for slow clients, and what runs beside the application."""
