#!/usr/bin/env python3
"""Measures the shape of the code and prints one Markdown table row per measure.

usage: scripts/house.py [TREE]             counts over the git-tracked Rust files of a checkout
       scripts/house.py [TREE] --list      also lists long functions, long parameter lists and silent defaults by crate
       scripts/house.py [TREE] --check     fails where a crate has more silent defaults than scripts/house.allow, or a function more
                                           than 80 lines; `--bless` writes the counts, once each new one was decided
       scripts/house.py [TREE] --time      also builds in a fresh target folder: slow, wants an idle machine

docs/design/0011-house.md has the table before and after the work on structure and language.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

QUESTION_WORDS = {"What", "Whether", "How", "Who", "Where", "Why", "When", "Which"}
SILENT = {
    "unwrap_or_default()": re.compile(r"\bunwrap_or_default\(\)"),
    "else { continue }": re.compile(r"\belse\s*\{\s*continue;?\s*\}"),
    "else { return … }": re.compile(r"\belse\s*\{\s*return\b[^{}]*\}"),
    ".ok()": re.compile(r"\.ok\(\)"),
    "filter_map(Result::ok)": re.compile(r"filter_map\(Result::ok\)"),
}


def files(tree):
    listed = subprocess.run(["git", "-C", tree, "ls-files", "*.rs"], capture_output=True, text=True)
    names = listed.stdout.split()
    if not names:  # an exported tree without a repository
        names = [str(path.relative_to(tree)) for path in Path(tree).rglob("*.rs") if "target" not in path.parts]
    return sorted(names)


def blank(text):
    """The text with comments, strings and character literals replaced by blanks of the same length."""
    pattern = re.compile(
        r"""//[^\n]*|/\*.*?\*/|b?r(?P<h>\#*)".*?"(?P=h)|b?"(?:\\.|[^"\\])*"|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])'""", re.S
    )
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(text, at, opening, end):
    depth = 0
    for place in range(at, len(text)):
        if text[place] == opening:
            depth += 1
        elif text[place] == end:
            depth -= 1
            if depth == 0:
                return place
    return len(text) - 1


def without_tests(text):
    """Blanked code without its `#[cfg(test)]` items."""
    while match := re.search(r"#\[cfg\(test\)\]", text):
        brace, semicolon = text.find("{", match.end()), text.find(";", match.end())
        end = semicolon if brace < 0 or 0 <= semicolon < brace else closing(text, brace, "{", "}")
        text = text[: match.start()] + re.sub(r"[^\n]", " ", text[match.start() : end + 1]) + text[end + 1 :]
    return text


def parameters(inside):
    depth, count, last = 0, 0, ""
    for place, char in enumerate(inside):
        if char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and inside[place - 1] not in "-="):
            depth -= 1
        elif char == "," and depth == 0:
            count += bool(last.strip())
            last = ""
            continue
        last += char
    count += bool(last.strip())
    return count - bool(re.match(r"\s*(&\s*('\w+\s+)?)?(mut\s+)?self\b", inside))


def functions(text):
    """Name, line, lines and parameters of every function."""
    for match in re.finditer(r"\bfn\s+(\w+)", text):
        opening = text.find("(", match.end())
        end = closing(text, opening, "(", ")")
        brace, semicolon = text.find("{", end), text.find(";", end)
        if brace < 0 or 0 <= semicolon < brace:
            continue
        last = closing(text, brace, "{", "}")
        line = text.count("\n", 0, match.start()) + 1
        yield match.group(1), line, text.count("\n", match.start(), last) + 1, parameters(text[opening + 1 : end])


def measure(tree):
    m = Counter()
    long, wide, silent, first, nobody = [], [], {kind: Counter() for kind in SILENT}, Counter(), 0
    invariants = 0
    lengths, sizes, binaries = [], [], set()
    for name in files(tree):
        parts = name.split("/")
        text = Path(tree, name).read_text(encoding="utf-8", errors="replace")
        lines = text.count("\n")
        if "/tests/" in name or name.startswith(("tests/", "benches/", "fuzz/")) or "/examples/" in name:
            m["test lines"] += lines
            if len(parts) == 4 and parts[2] == "tests" or len(parts) == 5 and parts[2] == "tests" and parts[4] == "main.rs":
                binaries.add("/".join(parts[:4]))
            continue
        if "/src/" not in name:
            continue
        crate = parts[1]
        blanked = blank(text)
        code = without_tests(blanked)
        m["files"] += 1
        m["lines"] += lines
        sizes.append(lines)
        nobody += len(re.findall(r"\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\b", text))
        for doc in re.finditer(r"^[ \t]*//[/!] ([^\n]+)", text, re.M):
            before = text[: doc.start()].rsplit("\n", 2)[-2:]
            previous = before[0].strip() if len(before) == 2 else ""
            if not previous.startswith(("///", "//!")):
                word = re.match(r"\W*(\w+)", doc.group(1))
                first[word.group(1) if word else ""] += 1
        invariants += len(re.findall(r"\.invariant\(|\binvariant!\(", code))
        for kind, pattern in SILENT.items():
            silent[kind][crate] += len(pattern.findall(code))
        for function, line, size, count in functions(code):
            lengths.append(size)
            if size > 80:
                long.append((size, f"{name}:{line} {function}"))
            if count > 6:
                wide.append((count, f"{name}:{line} {function}"))
    lengths.sort()
    sizes.sort()
    docs = sum(first.values())
    questions = sum(first[word] for word in QUESTION_WORDS)
    common = ", ".join(f"{word} {count}" for word, count in first.most_common(8))
    rows = [
        ("production files", f"{m['files']:,}"),
        ("production lines (with unit tests)", f"{m['lines']:,}"),
        ("test, example and bench lines", f"{m['test lines']:,}"),
        ("median and longest file, lines", f"{sizes[len(sizes) // 2]} and {sizes[-1]}"),
        ("functions", f"{len(lengths):,}"),
        ("median and longest function, lines", f"{lengths[len(lengths) // 2]} and {lengths[-1]}"),
        ("functions above 80 lines", str(len(long))),
        ("functions with more than 6 parameters", str(len(wide))),
        *((f"`{kind}`", str(sum(counts.values()))) for kind, counts in silent.items()),
        ("invariants stated (`Invariant`, `invariant!`)", str(invariants)),
        ("doc comments", f"{docs:,}"),
        ("… that open with a question word", f"{questions:,} ({100 * questions / max(docs, 1):.1f} %)"),
        ("… most frequent first words", common),
        ("nobody, somebody, whoever in sources", str(nobody)),
        ("integration-test programs", str(len(binaries))),
    ]
    return rows, long, wide, silent


HELD = ["unwrap_or_default()", "else { continue }", "else { return … }"]


def allowed(tree):
    """The silent defaults that were decided, by crate and kind."""
    lines = Path(tree, "scripts/house.allow").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {row[0]: dict(zip(HELD, map(int, row[1:]))) for row in rows}


def bless(tree, silent):
    crates = sorted({crate for kind in HELD for crate in silent[kind]})
    rows = [f"{crate:<12}" + "".join(f"{silent[kind][crate]:>8}" for kind in HELD) for crate in crates]
    head = [
        "# Silent defaults of each crate that were decided one by one: unwrap_or_default(), else { continue }, else { return }.",
        "# Written by `scripts/house.py --bless`, checked by `make verify`; docs/design/0011-house.md says what is legitimate.",
    ]
    Path(tree, "scripts/house.allow").write_text("\n".join(head + rows) + "\n", encoding="utf-8")


def check(tree, long, silent):
    """The lines that the house rules object to."""
    found = [f"{place} has {size} lines; split it" for size, place in sorted(long, reverse=True)]
    known = allowed(tree)
    for kind in HELD:
        for crate, count in sorted(silent[kind].items()):
            most = known.get(crate, {}).get(kind, 0)
            if count > most:
                found.append(
                    f"crate {crate} has {count} of `{kind}`, and {most} were decided: state an invariant, return an error, "
                    "or say why the default is right and run `scripts/house.py --bless`"
                )
    return found


def timed(tree, *command, **variables):
    start = time.monotonic()
    subprocess.run(command, cwd=tree, check=True, env=os.environ | variables, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def build(tree):
    with tempfile.TemporaryDirectory() as target:
        inside = {"CARGO_TARGET_DIR": target}
        cold = timed(tree, "cargo", "build", "--release", "--locked", "--quiet", "-p", "deed-cli", **inside)
        size = Path(target, "release", "deed").stat().st_size
        timed(tree, "cargo", "check", "--workspace", "--all-targets", "--quiet", **inside)
        Path(tree, "crates/canon/src/lib.rs").touch()
        warm = timed(tree, "cargo", "check", "--workspace", "--all-targets", "--quiet", **inside)
        demo = timed(tree, "make", "demo", CARGO_TARGET_DIR=os.path.join(target, "demo"))
    return [
        ("cold release build of `deed`", f"{cold:.0f} s"),
        ("warm `cargo check` after a change in `canon`", f"{warm:.0f} s"),
        ("size of the binary", f"{size / 1e6:.1f} MB"),
        ("`make demo` without a target folder", f"{demo:.0f} s"),
    ]


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    tree = names[0] if names else str(Path(__file__).resolve().parent.parent)
    rows, long, wide, silent = measure(tree)
    if "--bless" in sys.argv:
        bless(tree, silent)
    if "--check" in sys.argv:
        found = check(tree, long, silent)
        for line in found:
            print(f"house: {line}", file=sys.stderr)
        sys.exit(bool(found))
    if "--time" in sys.argv:
        rows += build(tree)
    for name, value in rows:
        print(f"| {name} | {value} |")
    if "--list" in sys.argv:
        print("\nfunctions above 80 lines")
        for size, place in sorted(long, reverse=True):
            print(f"  {size:4} {place}")
        print("\nfunctions with more than 6 parameters")
        for count, place in sorted(wide, reverse=True):
            print(f"  {count:4} {place}")
        print("\nsilent defaults by crate")
        for kind, counts in silent.items():
            print(f"  {kind}: " + ", ".join(f"{crate} {count}" for crate, count in counts.most_common() if count))


if __name__ == "__main__":
    main()
