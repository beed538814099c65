"""The HTTP server: gunicorn with a worker class of our own."""
