"""The command line: one program, one module for each command, loaded when it is asked for.

Errors meant for people derive from ValueError or OSError in every room of the house; here they become
one line on standard error and exit code 2. OTYS_DEBUG=1 shows the traceback instead.
"""

import importlib
import os
import sys
from collections.abc import Sequence

import click

from companion.frugal import collect_seldom, share_one_heap

# Our matrices are small: threads of BLAS would spend more time waiting for each other than they save
# (a third of a look). Numpy reads this once, so it is set before any command is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# command -> module that holds a click command (or group) of the same name, dashes as underscores
COMMANDS = {
    "bench": "companion.cli.bench",
    "calibrate": "companion.cli.calibrate",
    "demo": "companion.cli.demo",
    "doctor": "companion.cli.doctor",
    "enrol": "companion.cli.enrol",
    "export": "companion.cli.games",
    "games": "companion.cli.games",
    "look": "companion.cli.look",
    "play": "companion.cli.play",
    "referee": "companion.cli.referee",
    "replay": "companion.cli.games",
    "rules": "companion.cli.rules",
    "simulate": "companion.cli.simulate",
}
BAD_INPUT = 2
INTERNAL = 70  # EX_SOFTWARE: our fault, not the user's
INTERRUPTED = 130


class _Commands(click.Group):
    """Imports a command's module only when it is run or when its help is shown."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            raise click.UsageError(
                f"there is no command {cmd_name!r}; there are {', '.join(sorted(COMMANDS))}", ctx
            )
        command: click.Command = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name)
        return command


@click.group(cls=_Commands, invoke_without_command=True)
@click.version_option(package_name="otys-companion", prog_name="otys-companion")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Table companion for Otys: reads the boards, knows every legal turn, keeps the score."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(_Commands.get_command(cli, ctx, "play"))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; no exception gets past it."""
    share_one_heap()
    collect_seldom()
    try:
        result = cli.main(
            args=list(argv) if argv is not None else None, prog_name="otys-companion", standalone_mode=False
        )
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain again while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except click.ClickException as error:
        return _fail(error.format_message(), error, BAD_INPUT)
    except (ValueError, OSError) as error:
        return _fail(_sentence(error), error, BAD_INPUT)
    except Exception as error:
        return _fail(
            f"internal error: {error!r}; set OTYS_DEBUG=1 and run it again to see where", error, INTERNAL
        )


def _sentence(error: ValueError | OSError) -> str:
    """What is said of an error: ours are sentences already, the system's only name the file and the trouble."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        trouble = error.strerror[0].lower() + error.strerror[1:]
        return f"{error.filename}: {trouble}; check the path, and who may read and write there"
    return str(error) or type(error).__name__


def _fail(message: str, error: BaseException, code: int) -> int:
    if os.environ.get("OTYS_DEBUG"):
        raise error
    print(f"otys-companion: {' '.join(message.split())}", file=sys.stderr)
    return code
