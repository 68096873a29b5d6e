#!/usr/bin/env python3
"""Records answers of small models to the tasks of tests/corpus/models, as they come.

usage: scripts/corpus.py --url URL --model NAME    asks a running server, appends to answers.jsonl what is missing of the model
       scripts/corpus.py --check                   compares each recorded prompt with the one that the tasks give

Start the server with `deed models local serve --model NAME`. Each task is asked in four styles: the fields in words, the JSON
Schema, the template of `deed imprint template` as it was then, and the JSON Schema as a binding of the reply. The first three are
asked twice: greedily, and with a temperature and a seed. Every line of answers.jsonl has the parameters and the answer, nothing
is removed or corrected. A recording that was interrupted continues where it stopped.
"""

import argparse
import hashlib
import json
import sys
import urllib.request
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "corpus" / "models"
STYLES = ("words", "schema", "template", "bound")
SAMPLINGS = ({"temperature": 0.0, "seed": 1}, {"temperature": 0.8, "seed": 7})


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def prompt(task, style):
    head = f"Read this note.\n\n{task['text']}\n\n"
    if style == "words":
        return f"{head}Write it as one JSON object with {task['words']}."
    if style == "template":
        return f"{head}{task['template']}"
    return f"{head}Write it as one JSON object that is valid under this JSON Schema:\n{compact(task['schema'])}"


def asked(tasks):
    """Every question: the task, the style, and the sampling."""
    for task in tasks:
        for style in STYLES:
            for sampling in SAMPLINGS[:1] if style == "bound" else SAMPLINGS:
                yield task, style, sampling


def identity(line):
    return line["model"], line["task"], line["style"], line["seed"]


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def ask(url, task, style, sampling):
    body = {
        "model": "local",
        "messages": [{"role": "user", "content": prompt(task, style)}],
        "max_tokens": task["max_tokens"],
        "cache_prompt": False,
        **sampling,
    }
    if style == "bound":
        wanted = {"name": task["id"], "schema": task["schema"], "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": wanted}
    request = urllib.request.Request(f"{url}/chat/completions", compact(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        return json.load(answer)


def record(url, model):
    tasks = json.loads((FOLDER / "tasks.json").read_text())["tasks"]
    path = FOLDER / "answers.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    known = {identity(line) for line in lines}
    with path.open("a") as out:
        for task, style, sampling in asked(tasks):
            line = {"model": model, "task": task["id"], "style": style, **sampling, "max_tokens": task["max_tokens"]}
            if identity(line) in known:
                continue
            choice = ask(url, task, style, sampling)["choices"][0]
            line |= {"prompt": digest(prompt(task, style)), "stop": choice["finish_reason"], "text": choice["message"]["content"]}
            out.write(compact(line) + "\n")
            out.flush()
            print(f"{model} {task['id']} {style} {sampling['seed']} {choice['finish_reason']}", file=sys.stderr)


def check():
    tasks = {task["id"]: task for task in json.loads((FOLDER / "tasks.json").read_text())["tasks"]}
    lines = [json.loads(line) for line in (FOLDER / "answers.jsonl").read_text().splitlines()]
    wrong = [line for line in lines if line["prompt"] != digest(prompt(tasks[line["task"]], line["style"]))]
    doubled = len(lines) - len({identity(line) for line in lines})
    for line in wrong:
        print(f"corpus: {line['model']} {line['task']} {line['style']} answers another prompt", file=sys.stderr)
    print(f"corpus: {len(lines)} answers, {len(wrong)} to other prompts, {doubled} twice", file=sys.stderr)
    sys.exit(1 if wrong or doubled or not lines else 0)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--url", help="the server's base URL, ending in /v1")
    arguments.add_argument("--model", help="the name that the recording gives the model")
    arguments.add_argument("--check", action="store_true", help="compare the recorded prompts with the tasks")
    given = arguments.parse_args()
    if given.check:
        check()
    elif given.url and given.model:
        record(given.url.rstrip("/"), given.model)
    else:
        arguments.error("give --url and --model, or --check")


main()
