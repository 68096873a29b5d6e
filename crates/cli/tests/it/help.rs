//! Every help text has a summary of one line that begins with a verb, and examples of commands that exist.

use crate::common::Project;

/// The commands beneath one, as its help lists them.
fn beneath(p: &Project, command: &[String]) -> Vec<String> {
    let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let text = p.ok(&words).stdout;
    let section = text.split("\nCommands:\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

fn walk(p: &Project, command: &[String], groups: &mut Vec<Vec<String>>, leaves: &mut Vec<Vec<String>>) {
    let inner = beneath(p, command);
    if inner.is_empty() {
        leaves.push(command.to_vec())
    } else {
        groups.push(command.to_vec())
    }
    for name in inner {
        walk(p, &[command, &[name]].concat(), groups, leaves);
    }
}

/// All commands that do something.
pub(crate) fn commands(p: &Project) -> Vec<Vec<String>> {
    let (mut groups, mut leaves) = (Vec::new(), Vec::new());
    walk(p, &[], &mut groups, &mut leaves);
    assert!(leaves.len() > 60, "{leaves:?}");
    leaves
}

/// Words that summaries of commands begin with.
const VERBS: [&str; 65] = [
    "Accept",
    "Add",
    "Apply",
    "Approve",
    "Ask",
    "Cancel",
    "Check",
    "Clean",
    "Compare",
    "Compile",
    "Convert",
    "Deprecate",
    "Draw",
    "Evaluate",
    "Examine",
    "Explain",
    "Export",
    "Fill",
    "Find",
    "Follow",
    "Forget",
    "Fork",
    "Get",
    "Import",
    "Infer",
    "Join",
    "List",
    "Make",
    "Mark",
    "Merge",
    "Move",
    "Pin",
    "Print",
    "Probe",
    "Promote",
    "Propose",
    "Publish",
    "Read",
    "Recompile",
    "Record",
    "Register",
    "Reject",
    "Remove",
    "Repair",
    "Replay",
    "Resume",
    "Review",
    "Revoke",
    "Rewrite",
    "Roll",
    "Run",
    "Search",
    "Set",
    "Show",
    "Sign",
    "Start",
    "Stop",
    "Test",
    "Translate",
    "Trust",
    "Turn",
    "Undo",
    "Unpin",
    "Verify",
    "Write",
];

#[test]
fn every_command_has_a_summary_of_one_line() {
    let p = Project::bare();
    let (mut groups, mut leaves) = (Vec::new(), Vec::new());
    walk(&p, &[], &mut groups, &mut leaves);
    for command in groups.iter().chain(&leaves) {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let text = p.ok(&words).stdout;
        let summary = text.lines().next().unwrap();
        let verb = summary.split(|c: char| !c.is_alphabetic()).next().unwrap();
        assert!(VERBS.contains(&verb), "{command:?}: {summary}");
        assert!(summary.chars().count() <= 90 && !summary.ends_with(','), "{command:?}: {summary}");
        assert!(text.lines().nth(1).is_some_and(str::is_empty), "{command:?}: the summary is longer than a line");
    }
}

#[test]
fn every_command_has_examples_of_commands_that_exist() {
    let p = Project::bare();
    let (mut groups, mut leaves) = (Vec::new(), Vec::new());
    walk(&p, &[], &mut groups, &mut leaves);
    for command in groups.iter().chain(&leaves) {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let text = p.ok(&words).stdout;
        let examples = text.split("\nExamples:\n").nth(1).unwrap_or_else(|| panic!("{command:?} has no examples"));
        let lines: Vec<&str> = examples.lines().take_while(|line| line.starts_with("  ")).collect();
        let own = ["deed".to_owned()].into_iter().chain(command.iter().cloned()).collect::<Vec<_>>().join(" ");
        assert!(lines.iter().any(|line| line.contains(&own)), "{command:?}: {lines:?}");
        for line in lines {
            assert!(line.chars().count() <= 100, "{line}");
            for one in line.split("&&").filter_map(|one| one.trim().strip_prefix("deed ")) {
                assert!(leaves.iter().any(|leaf| one.starts_with(&leaf.join(" "))), "{command:?}: {one}");
            }
        }
    }
}
