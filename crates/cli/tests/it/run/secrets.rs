//! A token that a plan, an input, code or a call has is shown by no command that prints a run, in no form, not in part.

use super::example::{RUN, changed, tally};
use crate::common::Project;

/// The shortest part of a token that must not be seen.
const PART: usize = 12;

fn token(rule: &str) -> String {
    let sample = deed_detect::sample(rule, 7).unwrap_or_else(|| panic!("no sample of {rule}"));
    sample.text.get(sample.secret).unwrap().to_owned()
}

/// Nothing that a command says has a part of a token.
#[track_caller]
fn silent(p: &Project, tokens: &[String], args: &[&str]) {
    for form in [&[][..], &["--json"], &["--lines"]] {
        let out = p.run(&[args, form].concat());
        let said = format!("{}{}", out.stdout, out.stderr);
        for token in tokens {
            let parts = token.as_bytes().windows(PART).map(|part| std::str::from_utf8(part).unwrap());
            let shown = parts.into_iter().find(|part| said.contains(part));
            assert_eq!(shown, None, "deed {} {form:?} shows a token\n{said}", args.join(" "));
        }
    }
}

/// Commands that print what a run keeps.
const PRINTERS: [&[&str]; 14] = [
    &["runs", "show", "one"],
    &["runs", "list"],
    &["runs", "events", "one"],
    &["runs", "events", "one", "--kind", "progress"],
    &["runs", "events", "one", "--step", "add"],
    &["gate", "list"],
    &["gate", "show", "one"],
    &["gate", "show", "one", "total-seen"],
    &["receipts", "show", "one"],
    &["receipts", "show", "one", "add"],
    &["receipts", "verify", "one"],
    &["artifacts", "list", "one"],
    &["artifacts", "export", "one", "--out", "files"],
    &["journal", "verify"],
];

#[test]
fn tokens_of_plans_inputs_calls_and_output_are_in_nothing_that_is_printed() {
    let ids: Vec<&str> = deed_detect::rules().map(|rule| rule.id()).filter(|id| id.starts_with("github")).collect();
    let tokens: Vec<String> = ids.iter().take(3).map(|id| token(id)).collect();
    let [first, second, third] = tokens.as_slice() else { panic!("{ids:?}") };
    let p = tally();
    let code = format!(
        "import csv, json, deed\n        print('has {first}')\n        deed.progress(1, 2, 'at {second}')\n        \
         try:\n            deed.call('http.fetch', {{'url': 'http://api.example.test/{third}', 'method': 'GET'}})\n        \
         except Exception as error:\n            print(error)\n        "
    );
    let question = format!("question: Is {second} the total that you expect?");
    let label = format!("label: Write {third} down");
    changed(
        &p,
        "tally.yaml",
        &[
            ("import csv, json\n        ", &code),
            ("question: Is this the total that you expect?", &question),
            ("label: Write a note", &label),
        ],
    );
    p.write("input/orders.csv", format!("order,amount\n{first},40\n{second},2\n"));
    silent(&p, &tokens, &[&RUN[..], &["--id", "one"]].concat());
    let waits = p.run(&["gate", "show", "one"]);
    assert!(waits.code == 0 && waits.stdout.contains("[secret]"), "{}{}", waits.stdout, waits.stderr);
    for args in PRINTERS {
        silent(&p, &tokens, args);
    }
    // Names and remarks that the caller gives are not repeated either.
    silent(&p, &tokens, &["runs", "show", first]);
    silent(&p, &tokens, &["gate", "show", "one", first]);
    silent(&p, &tokens, &["gate", "approve", "one", "--as", "clerk", "--note", first]);
    silent(&p, &tokens, &["gate", "approve", "one", "--as", second]);
    silent(&p, &tokens, &["artifacts", "export", "one", first, "--out", "files"]);
    silent(&p, &tokens, &["runs", "cancel", "one", "--why", third]);
    silent(&p, &tokens, &["gate", "approve", "one", "--as", "clerk"]);
    silent(&p, &tokens, &["runs", "resume", "one"]);
    for args in PRINTERS {
        silent(&p, &tokens, args);
    }
}
