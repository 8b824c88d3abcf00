"""The program eql: where it is, and how it is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn, TextIO

INTERRUPTED = 130  # the exit code of eql after Ctrl-C, with the results so far


def path() -> str:
    """Return the path of eql: the one in this package, otherwise the one on PATH."""
    own = Path(__file__).with_name("bin") / ("eql.exe" if os.name == "nt" else "eql")
    found = str(own) if own.exists() else shutil.which("eql")
    if found is None:
        raise FileNotFoundError(
            "the program eql is neither in the package eqlearner nor on PATH "
            "(install a wheel for this platform, or put eql on PATH)"
        )
    return found


def main() -> NoReturn:
    """Run the command eql of the wheel with the arguments of this process."""
    command = [path(), *sys.argv[1:]]
    if os.name == "nt":  # exec would return to the shell at once
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def run(arguments: list[str], echo: TextIO | None = None) -> str:
    """Run eql and return what it writes to standard output.

    Lines on standard error are copied to ``echo`` as they come. If an exception such as KeyboardInterrupt
    ends the wait, the process is killed. A failure of eql raises ValueError with its message.
    """
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [path(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        said = []
        try:
            for line in process.stderr:
                said.append(line)
                if echo is not None:
                    echo.write(line)
                    echo.flush()
            code = process.wait()
        finally:
            process.kill()  # does nothing if it has ended
            process.stderr.close()
            process.wait()
        if code not in (0, INTERRUPTED):
            raise ValueError(_errors(said) or f"eql ended with exit code {code}")
        out.seek(0)
        return out.read().decode("utf-8")


def _errors(lines: list[str]) -> str:
    """Return the errors among the lines that eql wrote, without its name before them."""
    return "\n".join(line[len("eql: ") :].rstrip() for line in lines if line.startswith("eql: "))
