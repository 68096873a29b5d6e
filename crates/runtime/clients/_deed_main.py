"""Runs the program of a step under the name of its author's file, so that tracebacks name the lines that were written."""

import linecache
import os
import sys


def _compiled():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "main.py")
    name, before = sys.argv[1], int(sys.argv[2]) - 1
    with open(path, encoding="utf-8", newline="") as file:
        source = "\n" * before + file.read()
    lines = [line + "\n" for line in source.split("\n")]
    # Without a time of change the lines are never looked for on disk.
    linecache.cache[name] = (len(source), None, lines, name)
    sys.argv = [path]
    return path, compile(source, name, "exec", dont_inherit=True)


def _run():
    path, program = _compiled()
    names = vars(sys.modules["__main__"])
    for own in [name for name in names if not name.startswith("__")]:
        del names[own]
    names.update(__file__=path, __doc__=None)
    exec(program, names)


_run()
