#!/usr/bin/env python3
"""Lists public items that a crate re-exports and that no other crate names.

usage: scripts/exports.py            one line an item, and whether the tests of its own crate name it
       scripts/exports.py --check    exits with 1 if there is one that scripts/exports.allow does not list

An item counts as used if its name is written as a whole word in a Rust file of another crate (sources, tests, benches,
examples), in docs, in the umbrella crate `deed`, or in the signature or a public field of another re-exported item of the
same crate: a caller needs the type of what it receives. `scripts/exports.allow` holds names that are kept on purpose, each with a reason.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORD = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]*\b")


def exported(crate):
    """The names in `pub use` items of a crate's lib.rs, and its public items."""
    text = (crate / "src" / "lib.rs").read_text()
    text = re.sub(r"//[^\n]*", "", text)
    names = set()
    for use in re.findall(r"^pub use ([^;]+);", text, re.M | re.S):
        for part in re.split(r"[{},]", use):
            name = part.strip().split(" as ")[-1].split("::")[-1].strip()
            if name and name not in ("*", "self"):
                names.add(name)
    names |= set(re.findall(r"^pub (?:const |async )?(?:fn|struct|enum|trait|type|static|const|macro) (\w+)", text, re.M))
    return names


def words_of(path):
    return set(WORD.findall(path.read_text(errors="replace")))


def public_words(crate):
    """The words of signatures, public fields and variants: what a caller of the crate meets."""
    words = set()
    for path in (crate / "src").rglob("*.rs"):
        text = re.sub(r"//[^\n]*", "", path.read_text(errors="replace"))
        text = text.split("#[cfg(test)]")[0]
        for match in re.finditer(r"\bpub (?:const |async |unsafe )*(?:fn|type|static|const)\b[^{;=]*", text, re.S):
            body = match.group()
            name = re.search(r"(?:fn|type|static|const) (\w+)", body)
            found = set(WORD.findall(body))
            words |= found - ({name.group(1)} if name else set())
        for match in re.finditer(r"^\s+pub \w+: ([^\n]*)", text, re.M):
            words |= set(WORD.findall(match.group(1)))
        for match in re.finditer(r"\bpub enum \w+[^{]*\{(.*?)\n\}", text, re.S):
            for inner in re.findall(r"[({]([^(){}]*)[)}]", match.group(1)):
                words |= set(WORD.findall(inner))
        for match in re.finditer(r"\bpub trait \w+[^{]*\{(.*?)\n\}", text, re.S):
            words |= set(WORD.findall(match.group(1)))
        words |= set(re.findall(r"^\s+type \w+ = (\w+)", text, re.M))
        words |= set(re.findall(r"\bimpl(?:<[^>]*>)? (\w+)(?:<[^>]*>)? for", text))
    return words


def allowed():
    path = ROOT / "scripts" / "exports.allow"
    lines = path.read_text().splitlines() if path.exists() else []
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def main():
    crates = sorted(path.parent for path in (ROOT / "crates").glob("*/Cargo.toml"))
    words = {crate: set() for crate in crates}
    for crate in crates:
        for path in crate.rglob("*.rs"):
            if "target" in path.parts:
                continue
            words[crate] |= words_of(path)
    outside = set()
    for folder in ("benches", "fuzz", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".rs", ".md") and "target" not in path.parts:
                outside |= words_of(path)
    keep, unused = allowed(), []
    for crate in crates:
        if not (crate / "src" / "lib.rs").exists() or crate.name == "deed":
            continue
        needed = public_words(crate)
        tests = set()
        for folder in ("tests", "examples", "benches"):
            for path in (crate / folder).rglob("*.rs"):
                tests |= words_of(path)
        elsewhere = outside.union(*(words[other] for other in crates if other != crate))
        for name in sorted(exported(crate)):
            if name in elsewhere or name in needed or f"{crate.name}::{name}" in keep:
                continue
            unused.append((crate.name, name, "tests only" if name in tests else "unused"))
    for crate, name, use in unused:
        print(f"{crate}::{name} ({use})")
    if "--check" in sys.argv and unused:
        print(f"exports: {len(unused)} public items that no other crate names", file=sys.stderr)
        sys.exit(1)


main()
