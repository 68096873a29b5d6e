//! Every flag works with `--json` as it does without: what it selects or changes is selected or changed in both forms.

use crate::run::example;

use crate::common::Project;
use example::{RUN, tally};
use std::collections::BTreeSet;

/// Flags of the commands that change what is read or done, and not how it is printed: tests of their own hold them.
const ACTS: [&str; 74] = [
    // Ends that arrive for pinned versions: `packs::exchange`.
    "pack import --force",
    "pack pull --force",
    // Copies of RESTRICTED data: `endpoint::data_that_is_restricted_is_copied_only_where_that_is_meant`.
    "artifacts export --allow-restricted",
    "context record --allow-restricted",
    "pack export --allow-restricted",
    "pack push --allow-restricted",
    // What the log recalls: `memory::recall_follows_the_run_and_the_request`.
    "context call --recall",
    "context compile --recall",
    "context explain --recall",
    "context record --recall",
    "context sweep --recall",
    "endpoint add --private-addresses",
    // The address and the form of the request: `models`.
    "models test --local",
    "models test --whole",
    "memory review --accept",
    "memory review --reject",
    // The exit code: `packs::release`.
    "pack ci --deny-not-run",
    // The points in both forms: `context::sweep`.
    "context sweep --all",
    // The answer that is signed: `decisions::a_rejected_decision_is_rejected`.
    "decision approve --reject",
    // Both forms write, and say what: `packs::golden`.
    "golden accept --yes",
    "doctor --without-user-namespaces",
    "pack new --minimal",
    "gate approve --accept-rollback",
    "gate show --all",
    "gate approve --resume",
    "gate reject --accept-rollback",
    "gate reject --resume",
    "runs events --follow",
    "catalog lint --deny-warnings",
    "catalog lint --publish",
    "context replay --save",
    "imprint fill --template",
    "imprint lower --template",
    "imprint template --template",
    "keys trust --revoke",
    "keys trust --sign",
    "ladder climb --jsonl",
    "ladder undo --redo",
    "logic check --jsonl",
    "logic eval --jsonl",
    "logic explain --jsonl",
    "pack lint --deny-warnings",
    "pack lint --no-record",
    "pack verify --accept-retired",
    "plan check --deny-warnings",
    "profile lint --deny-warnings",
    "run --accept-rollback",
    "run --follow-links",
    "run --learn-egress",
    "run --reuse",
    "runs resume --accept-rollback",
    "sandbox probe --without-cgroups",
    "pack deprecate --force",
    "pack revoke --force",
    // What is recorded in spite of its users: `objects_registry`.
    "profile deprecate --force",
    "profile revoke --force",
    "prompt deprecate --force",
    "prompt revoke --force",
    "valpack deprecate --force",
    "valpack revoke --force",
    "prompt lint --deny-warnings",
    "registry policy set --allow-self-review",
    "registry policy set --refuse-self-review",
    "valpack lint --deny-warnings",
    // What is written where, in which workspace: `workspaces`.
    "files get --force",
    "files list --removed",
    "run --no-workspace",
    "context call --no-workspace",
    "context compile --no-workspace",
    "context explain --no-workspace",
    "context record --no-workspace",
    "context sweep --no-workspace",
    "workspace new --use",
    "workspace use --none",
];

/// The verbs below a command, and the flags that take no value, as its help lists them.
fn help(p: &Project, command: &[&str]) -> (Vec<String>, Vec<String>) {
    let text = p.ok(&[command, &["--help"]].concat()).stdout;
    let mut verbs = Vec::new();
    let mut flags = Vec::new();
    let mut section = "";
    for line in text.lines() {
        if !line.starts_with(' ') && line.ends_with(':') {
            section = line;
        } else if section == "Commands:" && line.starts_with("  ") && !line.starts_with("   ") {
            verbs.extend(line.split_whitespace().next().filter(|verb| *verb != "help").map(str::to_owned));
        } else if section == "Options:" {
            let option = line.trim_start();
            let flag = option.split_whitespace().find(|word| word.starts_with("--"));
            if (option.starts_with("--") || option.starts_with('-')) && !option.contains('<') {
                flags.extend(flag.map(str::to_owned));
            }
        }
    }
    (verbs, flags)
}

fn every_flag(p: &Project, command: &[&str], found: &mut BTreeSet<String>) {
    let (verbs, flags) = help(p, command);
    let ours = flags.into_iter().filter(|flag| !["--help", "--version"].contains(&flag.as_str()));
    found.extend(ours.map(|flag| format!("{} {flag}", command.join(" "))));
    for verb in verbs {
        every_flag(p, &[command, &[verb.as_str()]].concat(), found);
    }
}

/// The data that a command prints with `--json`.
fn data(p: &Project, args: &[&str]) -> serde_json::Value {
    let value = p.json(args);
    assert_eq!(value["ok"], true, "{args:?}: {value}");
    value["data"].clone()
}

#[test]
fn a_flag_that_changes_the_text_changes_the_json() {
    let p = tally();
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    p.ok(&[&RUN[..], &["--id", "two", "--approve", "clerk"]].concat());
    p.write("schema.json", r#"{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#);
    let pack = Project::linted();
    p.write("rows.csv", "id\n1\n2\n");
    p.write("c.yaml", "contract: test\nschema: { type: object }\n");
    p.write("a.json", "{}");
    let shown: [(&Project, &[&str], &str); 9] = [
        (&p, &["ladder", "climb", "--contract", "c.yaml", "a.json"], "--payload"),
        (&p, &["catalog", "infer", "rows.csv"], "--plan"),
        (&p, &["receipts", "show", "one"], "--envelopes"),
        (&p, &["imprint", "template", "schema.json"], "--skeleton"),
        (&p, &["imprint", "template", "schema.json"], "--pretty"),
        (&pack, &["keys", "list"], "--export"),
        (&pack, &["pack", "show", "./support"], "--document"),
        (&pack, &["pack", "log"], "--head"),
        (&p, &["runs", "list", "--limit", "1"], "--all"),
    ];
    let mut held: BTreeSet<String> = ACTS.iter().map(|flag| (*flag).to_owned()).collect();
    for (project, command, flag) in shown {
        // `--all` stands in the place of `--limit`.
        let with = if flag == "--all" { [&command[..2], &[flag]].concat() } else { [command, &[flag]].concat() };
        assert_ne!(project.ok(command).stdout, project.ok(&with).stdout, "{with:?}");
        assert_ne!(data(project, command), data(project, &with), "{with:?} is swallowed by --json");
        let verbs: Vec<&str> = command.iter().copied().take(2).collect();
        held.insert(format!("{} {flag}", verbs.join(" ")));
    }
    // The first is refused together with `--json`, the second is on a page whose commands are run,
    // and the third prints another document: `packs::release`. The last is in `objects_registry`.
    let elsewhere = [
        "context compile --prompt",
        "sandbox probe --without-user-namespaces",
        "pack ci --workflow",
        "profile show --history",
    ];
    held.extend(elsewhere.map(str::to_owned));
    let mut found = BTreeSet::new();
    every_flag(&p, &[], &mut found);
    let strangers: Vec<&String> = found.iter().filter(|flag| !held.contains(*flag)).collect();
    assert!(strangers.is_empty(), "say of each whether it changes what is printed: {strangers:#?}");
}
