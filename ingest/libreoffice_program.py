"""Run LibreOffice to convert a file: in its own session with its own profile, without macros and without a network.

It runs within the limits of the reading child process, and only ever gets copies from which what would be fetched was
removed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import time
from pathlib import Path

from highlighter.locale import N_
from highlighter.operating_system import IS_LINUX
from highlighter.workers.process_control import run_program

PROGRAM = "soffice"
_PROGRAM_BINARY = "soffice.bin"  # beside the program, which only starts it and may outlive a timeout
_RESTART_EXIT_STATUS = 81  # of a first run, which wrote its profile and must be started again
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000

_PROFILE_TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{}
</oor:items>
"""
_PROFILE_SETTINGS = (
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Java", "Enable", "false"),
    ("Writer/Content/Update", "Link", "0"),  # links in a text are never updated
    ("Calc/Content/Update", "Link", "1"),  # ... nor those in a sheet
    ("Calc/Formula/Load", "OOXMLRecalcMode", "1"),  # results are shown as they were saved
    # Where the network cannot be taken away, whatever is asked for is asked of a port where nobody answers.
    ("Inet/Settings", "ooInetProxyType", "2"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)


class LibreOfficeError(Exception):
    """LibreOffice made no file; the message tells users why."""


class LibreOfficeTimeout(LibreOfficeError):
    """LibreOffice took too long."""


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


def has_component(library: str) -> bool:
    """Return whether LibreOffice is installed with the component that this library is: Writer, Calc, Impress."""
    return is_installed() and (not _find_binary().exists() or _find_binary().with_name(library).exists())


def convert_file(path: Path, input_filter: str, output_filter: str, work: Path, seconds: float) -> Path:
    """Return the file that LibreOffice makes of another one in the work folder: "docx:MS Word 2007 XML" ..."""
    deadline = time.monotonic() + seconds
    profile = work / "profile"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_format_registry(), encoding="utf-8")
    program, binary = Path(shutil.which(PROGRAM) or PROGRAM), _find_binary()
    command = [str(binary if binary.exists() else program.resolve()), f"-env:UserInstallation={profile.as_uri()}"]
    command += ["--headless", "--norestore", "--nologo", "--nolockcheck", "--nodefault"]
    command += [f"--infilter={input_filter}", "--convert-to", output_filter, "--outdir", str(work), str(path)]
    if _run_libreoffice(command, work, deadline - time.monotonic(), seconds) == _RESTART_EXIT_STATUS:
        _run_libreoffice(command, work, deadline - time.monotonic(), seconds)
    made = path.with_suffix("." + output_filter.partition(":")[0])
    if not made.is_file():
        raise LibreOfficeError(N_("LibreOffice made no pages"))
    return made


def _find_binary() -> Path:
    return Path(shutil.which(PROGRAM) or PROGRAM).resolve().with_name(_PROGRAM_BINARY)


def _format_registry() -> str:
    return _PROFILE_TEMPLATE.format(
        "\n".join(
            f'<item oor:path="/org.openoffice.{_get_package(path)}{path}"><prop oor:name="{name}" oor:op="fuse">'
            f"<value>{value}</value></prop></item>"
            for path, name, value in _PROFILE_SETTINGS
        )
    )


def _get_package(path: str) -> str:
    return "" if path.startswith("Inet/") else "Office."


def _run_libreoffice(command: list[str], work: Path, seconds: float, limit_seconds: float) -> int:
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment |= {"HOME": str(work), "TMPDIR": str(work), "SAL_USE_VCLPLUGIN": "svp"}
    try:
        status, _ = run_program(command, work, environment, max(seconds, 0.1), before_start=_disconnect_network)
    except OSError as err:
        raise LibreOfficeError(N_("LibreOffice cannot be started")) from err
    except subprocess.TimeoutExpired as err:
        raise LibreOfficeTimeout(
            N_("LibreOffice took longer than {seconds:.0f} seconds", seconds=limit_seconds)
        ) from err
    return status


def _disconnect_network() -> None:
    """Disconnect the process from the network, where the system allows it."""
    if not IS_LINUX:
        return
    libc = ctypes.CDLL(None)
    if libc.unshare(_CLONE_NEWNET) != 0:
        libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
