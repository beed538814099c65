"""gunicorn wsgi:app"""

import sys

from highlighter.app import create_app
from highlighter.errors import Unavailable
from highlighter.gate.mode import said
from highlighter.request_ids import log_with_ids
from highlighter.shutdown import hand_over_on_sigterm

BOOT_ERROR = 3  # the status by which gunicorn knows that another worker would come no further

log_with_ids()
app = create_app()
try:
    app.services.start()
except Unavailable as err:
    print(err.detail, file=sys.stderr, flush=True)
    sys.exit(BOOT_ERROR)
hand_over_on_sigterm(app.services)
if not app.services.damage:
    print(said(app.services.settings, app.services.keys), flush=True)
