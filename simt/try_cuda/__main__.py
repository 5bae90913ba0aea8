"""simt/try: see options.py, and README.md."""

import os
import sys

from . import TryError
from .build import need_machine
from .classroom.grade import grade
from .options import parse
from .program import attempt


def main() -> int:
    try:
        options = parse(sys.argv[1:])
        need_machine()
        if options.classroom:
            return grade(options.classroom, options.expect, options.out, options.jobs)
        return attempt(options)
    except TryError as error:
        print(error if error.by_compiler else f"try: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("try: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # as of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


if __name__ == "__main__":
    sys.exit(main())
