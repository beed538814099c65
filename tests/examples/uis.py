"""Third-party UIs, started by their own commands from the environment of requirements-uis.txt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.serving import ROOT, free_port, running

PROGRAMS = ROOT / ".venv" / "uis" / "bin"
MISSING = "Streamlit and Gradio are not there for their tests. Install them: make uis"
ALONE = Path(__file__).parent / "alone"  # its sitecustomize.py is run by every Python that looks there


@dataclass(frozen=True)
class UI:
    """A documented command of a UI, with the environment of its framework."""

    command: str
    host: str
    port: str
    quiet: dict[str, str]  # no telemetry, no browser opened

    def ask(self, page: Page, question: str) -> None:
        page.get_by_label("Question").fill(question)
        page.get_by_label("Question").press("Enter")


STREAMLIT = UI(
    "streamlit run examples/streamlit_app.py",
    "localhost",
    "STREAMLIT_SERVER_PORT",
    {
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
        "STREAMLIT_SERVER_ADDRESS": "localhost",  # else it asks the world for its own address
        "STREAMLIT_SERVER_HEADLESS": "true",
    },
)
GRADIO = UI("python examples/gradio_app.py", "127.0.0.1", "GRADIO_SERVER_PORT", {"GRADIO_ANALYTICS_ENABLED": "False"})


@contextmanager
def started(ui: UI, service: str, folder: Path, programs: Path = PROGRAMS) -> Iterator[str]:
    """Yield the URL of a running UI; at the end, check that it requested nothing remote."""
    program, *arguments = ui.command.split()
    if not (programs / program).exists():
        raise FileNotFoundError(MISSING)
    port, log = str(free_port()), folder / "ui.log"
    address = f"http://{ui.host}:{port}"
    given = {
        **ui.quiet,
        ui.port: port,
        "HIGHLIGHTER_URL": service,
        "HIGHLIGHTER_KEY": "",
        "PYTHONPATH": str(ALONE),
        "HOME": str(folder),  # where they keep things of their own
        "GRADIO_TEMP_DIR": str(folder),
    }
    with running([str(programs / program), *arguments], given, address, log):
        yield address
    assert "Reached out" not in log.read_text(encoding="utf-8")
