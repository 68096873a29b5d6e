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

pub(crate) fn walk(p: &Project, command: &[String], groups: &mut Vec<Vec<String>>, leaves: &mut Vec<Vec<String>>) {
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
const VERBS: [&str; 67] = [
    "Accept",
    "Add",
    "Apply",
    "Approve",
    "Ask",
    "Bind",
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
    "Update",
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

/// A line that the terminal breaks cannot be pasted: what is printed as it is written fits into 80 columns.
#[test]
fn examples_and_usage_fit_into_80_columns() {
    let p = Project::bare();
    let (mut groups, mut leaves) = (Vec::new(), Vec::new());
    walk(&p, &[], &mut groups, &mut leaves);
    for command in groups.iter().chain(&leaves) {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let out = p.command(&words).env("COLUMNS", "100").output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let global = text.split("\nGlobal options:\n").nth(1).unwrap();
        let after = global.lines().skip_while(|line| line.is_empty() || line.starts_with(' '));
        let usage = text.split("\nUsage: ").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
        let (after, usage): (Vec<&str>, Vec<&str>) = (after.collect(), usage.collect());
        assert!(!after.is_empty() && !usage.is_empty(), "{command:?}");
        assert!(usage.first().is_some_and(|line| line.chars().count() <= 80 - "Usage: ".len()), "{usage:?}");
        let wide: Vec<_> = after.iter().chain(&usage).filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{command:?}: {wide:#?}");
        // A broken line of a command says that it continues.
        let broken = after
            .windows(2)
            .find(|two| two[1].starts_with("   ") && !two[0].ends_with('\\') && two[0].starts_with("  deed"));
        assert!(broken.is_none(), "{command:?}: {broken:?}");
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
        // A command that takes several lines is one command.
        let joined = lines.join("\n").replace(" \\\n     ", "");
        let lines: Vec<&str> = joined.lines().collect();
        let own = ["deed".to_owned()].into_iter().chain(command.iter().cloned()).collect::<Vec<_>>().join(" ");
        assert!(lines.iter().any(|line| line.contains(&own)), "{command:?}: {lines:?}");
        for line in lines {
            for one in line.split("&&").filter_map(|one| one.trim().strip_prefix("deed ")) {
                assert!(leaves.iter().any(|leaf| one.starts_with(&leaf.join(" "))), "{command:?}: {one}");
            }
        }
    }
}
