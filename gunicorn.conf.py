"""Read by `gunicorn wsgi:app` from the folder it is started in. What its command line says comes before what is said here."""

from highlighter.server.options import gunicorn_options
from highlighter.settings import Settings

globals().update(gunicorn_options(Settings.from_environment()))
