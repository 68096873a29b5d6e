#!/usr/bin/env python3
"""Measures which form of a schema a model fills best: JSON Schema, TypeScript types, or an imprint template in several renderings.

usage: scripts/imprints.py --deed FILE --out FILE --url URL --model NAME [--form NAME]... [--each N]
       scripts/imprints.py --deed FILE --list          prints the number of schemas and their sizes
       scripts/imprints.py --table FILE...             prints the table of earlier results

150 schemas of three sizes are made from a fixed seed, each with a note that states every value. The model gets the note and one
form of the schema, and answers freely, greedily. An answer counts as valid as written if it satisfies the schema without any change
(a template: if `deed imprint lower` accepts it), and as valid after the ladder if `deed ladder climb` accepts it. It is right if it has the
values of the note. Results are lines of the file given by --out; an interrupted measurement continues there.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import urllib.request
from collections import defaultdict
from pathlib import Path

SIZES = {"small": (3, 4), "medium": (6, 8), "large": (11, 14)}
EACH = 50
WORDS = "amber birch cedar delta ember flint grove heron inlet jetty kiosk larch maple north ocean pearl quartz river".split()
FIELDS = (
    "title owner city colour status priority channel language count floor age score weight price share paid urgent remote public "
    "start_date end_date tags sizes address contact"
).split()
ENUMS = {
    "status": ["open", "closed", "waiting"],
    "priority": ["low", "normal", "high"],
    "channel": ["mail", "phone", "chat"],
    "language": ["de", "en", "fr"],
    "colour": ["red", "green", "blue"],
}
NOTES = {"title": "A few words", "owner": "Family name", "score": "From 0 to 100", "share": "Between 0 and 1", "urgent": "True if it cannot wait"}


def field(name, chance):
    """The schema of a field, and a value of it."""
    if name in ENUMS:
        return {"type": "string", "enum": ENUMS[name]}, chance.choice(ENUMS[name])
    if name in ("count", "floor", "age"):
        return {"type": "integer", "minimum": 0}, chance.randrange(1, 90)
    if name == "score":
        return {"type": "integer", "minimum": 0, "maximum": 100}, chance.randrange(0, 101)
    if name in ("weight", "price"):
        return {"type": "number"}, chance.randrange(10, 900) / 4
    if name == "share":
        return {"type": "number", "minimum": 0, "maximum": 1}, chance.randrange(1, 100) / 100
    if name in ("paid", "urgent", "remote", "public"):
        return {"type": "boolean"}, chance.random() < 0.5
    if name.endswith("_date"):
        return {"type": "string", "format": "date"}, f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    if name in ("tags", "sizes"):
        return {"type": "array", "items": {"type": "string"}, "minItems": 1}, chance.sample(WORDS, 2)
    if name in ("address", "contact"):
        inner = {"address": ("street", "postcode"), "contact": ("name", "extension")}[name]
        properties = {inner[0]: {"type": "string"}, inner[1]: {"type": "string"}}
        value = {inner[0]: chance.choice(WORDS).title(), inner[1]: str(chance.randrange(1000, 9999))}
        return {"type": "object", "properties": properties, "required": list(inner), "additionalProperties": False}, value
    return {"type": "string"}, chance.choice(WORDS).title()


def words(name, value):
    """A fact of the note."""
    plain = name.replace("_", " ")
    if isinstance(value, bool):
        return f"It is {'' if value else 'not '}{plain}."
    if isinstance(value, list):
        return f"The {plain} are {' and '.join(value)}."
    if isinstance(value, dict):
        return f"The {plain} has " + " and ".join(f"the {inner} {text}" for inner, text in value.items()) + "."
    return f"The {plain} is {value}."


def problems(each):
    """The schemas with their notes: the same ones each time."""
    chance = random.Random(20261119)
    for size, (least, most) in SIZES.items():
        for number in range(EACH):
            names = chance.sample(FIELDS, chance.randrange(least, most + 1))
            properties, value = {}, {}
            for name in names:
                properties[name], value[name] = field(name, chance)
                if name in NOTES:
                    properties[name]["description"] = NOTES[name]
            optional = chance.choice(names) if size != "small" else None
            required = [name for name in names if name != optional]
            schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
            if number < each:
                yield f"{size}/{number}", size, schema, " ".join(words(*fact) for fact in value.items()), value


# --- Forms ---


def typescript(schema, depth=0):
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kind = schema["type"]
    if kind == "array":
        return f"{typescript(schema['items'], depth)}[]"
    if kind != "object":
        return {"integer": "number"}.get(kind, kind)
    pad, lines = "  " * (depth + 1), []
    for name, inner in schema["properties"].items():
        remarks = [inner["description"]] if "description" in inner else []
        if inner["type"] == "integer":
            remarks.append("whole number")
        remarks += [f"{word} {inner[key]}" for key, word in (("minimum", "at least"), ("maximum", "at most")) if key in inner]
        if "format" in inner:
            remarks.append("YYYY-MM-DD")
        mark = "" if name in schema["required"] else "?"
        remark = f" // {', '.join(remarks)}" if remarks else ""
        lines.append(f"{pad}{name}{mark}: {typescript(inner, depth + 1)};{remark}")
    return "{\n" + "\n".join(lines) + "\n" + "  " * depth + "}"


def template(program, schema, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "schema.json")
        path.write_text(json.dumps(schema))
        command = [program, "imprint", "template", str(path), *options]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.rstrip("\n")


EXPLAINED = (
    "This is a form. Copy it and replace each text in braces, together with its quotes, by the value: FILL must be given, OPTIONAL may be "
    "left out with its name, after FILL_ENUM stand the values to choose from. Numbers, true and false stand without quotes. Answer with the JSON only."
)
EXAMPLE = (
    'Example: {"name":"{FILL|string}","kind":"{FILL_ENUM|a|b}","size":"{FILL|integer}","note":"{OPTIONAL|string}"} is filled as '
    '{"name":"Ada","kind":"b","size":3}'
)

FORMS = {
    "json-schema": lambda program, schema: "Answer with one JSON object that is valid under this JSON Schema:\n" + json.dumps(schema, separators=(",", ":")),
    "typescript": lambda program, schema: "Answer with one JSON object of this TypeScript type:\n" + typescript(schema),
    "template": lambda program, schema: template(program, schema),
    "template-explained": lambda program, schema: EXPLAINED + "\n" + template(program, schema, "--skeleton"),
    "template-example": lambda program, schema: template(program, schema) + "\n" + EXAMPLE,
    "template-lines": lambda program, schema: EXPLAINED + "\n" + template(program, schema, "--skeleton", "--pretty"),
}


# --- Judging ---


def judged(program, schema, text, form):
    """Returns whether an answer is valid as written, and what it is after the ladder."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"contract.json": {"contract": "measured", "schema": schema}, "schema.json": schema}
        for name, value in files.items():
            Path(folder, name).write_text(json.dumps(value))
        Path(folder, "answer.txt").write_text(text)

        def run(*arguments):
            out = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, cwd=folder)
            return json.loads(out.stdout)

        climbed = run("ladder", "climb", "--contract", "contract.json", "answer.txt")
        payload = climbed["data"]["payload"] if climbed["ok"] else None
        report = climbed["data"]["report"]
        written = payload is not None and not report["changes"]
        if form.startswith("template"):
            Path(folder, "filled.json").write_text(text)
            lowered = run("imprint", "lower", "schema.json", "filled.json")
            if lowered["ok"]:
                written, payload = True, lowered["data"]["payload"]
        return written, payload


def is_right(payload, value):
    def same(found, wanted):
        if isinstance(wanted, str) and isinstance(found, str):
            return found.lower() == wanted.lower()
        return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)

    return payload is not None and all(same(payload.get(name), wanted) for name, wanted in value.items())


def ask(url, text):
    body = {"model": "local", "messages": [{"role": "user", "content": text}], "max_tokens": 400, "temperature": 0.0, "seed": 1}
    request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=900) as answer:
        reply = json.load(answer)
    return reply["choices"][0]["message"]["content"], reply["usage"]


def measure(given):
    path = Path(given.out)
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    known = {(line["model"], line["form"], line["schema"]) for line in lines}
    with path.open("a") as out:
        # One of each size in turn, so that a measurement that ends early has all sizes.
        every = sorted(problems(given.each), key=lambda problem: int(problem[0].split("/")[1]))
        for name, size, schema, note, value in every:
            for form in given.form or FORMS:
                if (given.model, form, name) in known:
                    continue
                text, usage = ask(given.url.rstrip("/"), f"Read this note.\n\n{note}\n\n{FORMS[form](given.deed, schema)}")
                written, payload = judged(given.deed, schema, text, form)
                line = {"model": given.model, "form": form, "schema": name, "size": size, "written": written, "after": payload is not None}
                line |= {"right": is_right(payload, value), "in": usage["prompt_tokens"], "out": usage["completion_tokens"], "text": text}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.flush()


def table(paths):
    lines = [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]
    forms, asked, by = defaultdict(set), defaultdict(set), defaultdict(list)
    for line in lines:
        forms[line["model"]].add(line["form"])
        asked[line["model"], line["schema"]].add(line["form"])
    for line in lines:
        # Only schemas that were asked in each form are compared.
        if asked[line["model"], line["schema"]] == forms[line["model"]]:
            by[line["model"], line["size"], line["form"]].append(line)
            by[line["model"], "all", line["form"]].append(line)
    print("| Model | Size | Form | Schemas | Valid as written | Valid after the ladder | Right | Tokens in | Tokens out |")
    print("|---|---|---|---|---|---|---|---|---|")
    def order(item):
        model, size, form = item[0]
        return model, [*SIZES, "all"].index(size), list(FORMS).index(form)

    for (model, size, form), own in sorted(by.items(), key=order):
        shares = [f"{100 * sum(line[key] for line in own) / len(own):.0f} %" for key in ("written", "after", "right")]
        means = [f"{sum(line[key] for line in own) / len(own):.0f}" for key in ("in", "out")]
        print("| " + " | ".join([model, size, form, str(len(own)), *shares, *means]) + " |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--deed", default="deed", help="the program that makes templates and judges answers")
    arguments.add_argument("--url", help="the server's base URL, ending in /v1")
    arguments.add_argument("--model", help="the name of the model in the results")
    arguments.add_argument("--form", action="append", choices=list(FORMS), help="measure only this one; repeatable")
    arguments.add_argument("--each", type=int, default=EACH, help="schemas of each size, at most 50")
    arguments.add_argument("--out", default="imprints.jsonl", help="the file of results")
    arguments.add_argument("--list", action="store_true", help="print the number of schemas and their sizes")
    arguments.add_argument("--table", nargs="+", metavar="FILE", help="print the table of results")
    given = arguments.parse_args()
    if given.table:
        table(given.table)
    elif given.list:
        every = list(problems(given.each))
        for size in SIZES:
            own = [len(json.dumps(schema)) for _, kind, schema, *_ in every if kind == size]
            print(f"{size}: {len(own)} schemas, {min(own)} to {max(own)} bytes")
    elif given.url and given.model:
        measure(given)
    else:
        arguments.error("give --url and --model, --list, or --table")


main()
