//! Failures of code name the file and the line that the author wrote, in what is shown and in receipts.

use super::example::{RUN, TALLY, ends, tally};
use crate::common::Project;

/// A project whose first step is a file of some language.
fn coded(language: &str, file: &str, code: &str, more: &str) -> Project {
    let p = tally();
    let from = TALLY.find("    code:\n").unwrap();
    let to = TALLY.find("    expected_outputs").unwrap();
    let inline = TALLY.get(from..to).unwrap();
    let named = format!("    code: {{ language: {language}, file: {file} }}\n{more}");
    p.write("tally.yaml", TALLY.replacen(inline, &named, 1));
    p.write(file, code);
    p
}

/// Fails as said, in the terminal and in the receipt.
#[track_caller]
fn names(p: &Project, says: &[&str]) {
    let out = ends(p, &[&RUN[..], &["--id", "one"]].concat(), 1, says);
    let receipt = p.ok(&["receipts", "show", "one", "add", "--json"]).stdout;
    let events = p.ok(&["runs", "events", "one", "--json"]).stdout;
    for text in [&out.stdout, &out.stderr, &receipt, &events] {
        assert!(!text.contains("meta/main."), "{text}");
    }
    let first = serde_json::to_string(says.first().unwrap()).unwrap();
    let first = first.trim_matches('"').to_owned();
    assert!(events.contains(&first) || receipt.contains(&first), "{first}: {events}");
}

#[test]
fn python_in_a_file() {
    let code = "import json\n\ndef total(row):\n    return row['amount'] * nothing\n\ntotal({'amount': 1})\n";
    let p = coded("python", "steps/add.py", code, "");
    let says = [
        "File \"steps/add.py\", line 4, in total",
        "return row['amount'] * nothing",
        "File \"steps/add.py\", line 6, in <module>",
        "NameError: name 'nothing' is not defined",
    ];
    names(&p, &says);
}

#[test]
fn python_in_the_plan() {
    let p = tally();
    let line = TALLY.lines().position(|line| line.contains("amounts = [int(row")).unwrap() + 1;
    p.write("tally.yaml", TALLY.replace("int(row[\"amount\"])", "int(row[\"amounts\"])"));
    let place = format!("File \"tally.yaml\", line {line}, in ");
    names(&p, &[&place, "KeyError: 'amounts'"]);
}

/// A program that looks at itself finds itself.
#[test]
fn python_keeps_its_own_file_and_namespace() {
    let code = "import sys, os, json, __main__\nassert __name__ == '__main__' and __main__.__dict__ is globals()\n\
                assert os.path.exists(__file__) and sys.argv == [__file__], (sys.argv, __file__)\n\
                own = [name for name in globals() if not name.startswith('__')]\n\
                assert own == ['sys', 'os', 'json'], own\n\
                json.dump({'orders': 1, 'total': 1}, open('output/total.json', 'w'))\n";
    let p = coded("python", "steps/add.py", code, "");
    ends(&p, &[&RUN[..], &["--id", "one"]].concat(), 5, &["one  tally  waiting"]);
}

#[test]
fn javascript_for_node() {
    let code =
        "import fs from 'node:fs';\n\nfunction total(row) {\n  throw new Error(`no ${row}`);\n}\ntotal('amount');\n";
    let p = coded("javascript", "steps/add.mjs", code, "    tool_needs: [sandbox.session]\n");
    names(&p, &["at total (steps/add.mjs:4:", "throw new Error(`no ${row}`)", "Error: no amount"]);
}

#[test]
fn javascript_in_an_isolate() {
    let code = "function total(row) {\n  return row.amount.cents;\n}\nexport default () => total({});\n";
    let p = coded("javascript", "steps/add.js", code, "");
    names(&p, &["steps/add.js:2", "line 2 of `steps/add.js`"]);
}

#[test]
fn shell() {
    let p = coded("shell", "steps/add.sh", "set -e\ntrue\nno-such-program\n", "    tool_needs: [sandbox.session]\n");
    names(&p, &["steps/add.sh: 3: no-such-program: not found"]);
    ends(&p, &["runs", "show", "one"], 0, &["| steps/add.sh: 3: no-such-program: not found"]);
}
