//! The width of help texts: lines that are shown as they are written are broken so that they can still be pasted.

use clap::Command;

/// Examples are written for so many columns.
const WRITTEN_FOR: usize = 80;
/// A command that takes several lines continues here.
const CONTINUED: &str = "      ";

/// The command line whose help is so many columns wide. Left to itself, clap takes the width of any terminal that a stream
/// leads to, and breaks examples as it breaks prose.
pub(crate) fn fitted(command: Command, width: usize) -> Command {
    let command = if width < WRITTEN_FOR { narrowed(command, width) } else { command };
    command.term_width(width)
}

fn narrowed(command: Command, width: usize) -> Command {
    let after = command.get_after_help().map(ToString::to_string);
    let command = match after {
        Some(after) => command.after_help(examples_within(&after, width)),
        None => command,
    };
    command.mut_subcommands(|inner| narrowed(inner, width))
}

/// Breaks the examples of a text between their words, each line but the last ended by a backslash.
fn examples_within(text: &str, width: usize) -> String {
    let mut out = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let is_example = continues || line.starts_with("  deed ");
        continues = is_example && line.ends_with('\\');
        if is_example && line.chars().count() > width {
            broken(line, width, &mut out);
        } else {
            out.push(line.to_owned());
        }
    }
    out.join("\n")
}

fn broken(line: &str, width: usize, out: &mut Vec<String>) {
    let indent = line.len() - line.trim_start().len();
    let mut held = line.get(..indent).unwrap_or("").to_owned();
    let mut is_empty = true;
    let words = words(line.trim_start());
    let last = words.len().saturating_sub(1);
    for (place, word) in words.iter().enumerate() {
        // The line may need room for its backslash.
        let room = if place == last { width } else { width.saturating_sub(2) };
        if !is_empty && held.chars().count() + 1 + word.chars().count() > room && *word != "\\" {
            out.push(held + " \\");
            held = CONTINUED.to_owned();
            is_empty = true;
        }
        if !is_empty {
            held.push(' ');
        }
        held.push_str(word);
        is_empty = false;
    }
    out.push(held);
}

/// The words of a command; what stands in quotes is one.
fn words(line: &str) -> Vec<&str> {
    let mut quote = None;
    line.split(|c: char| {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        c == ' ' && quote.is_none()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_example_is_the_same_command() {
        let text = "Examples:\n  deed a --long-option some.file \\\n      --other 'one two' last\n  deed b\n";
        let narrow = examples_within(text, 30);
        assert_eq!(
            narrow,
            "Examples:\n  deed a --long-option \\\n      some.file \\\n      --other 'one two' last\n  deed b"
        );
        assert_eq!(examples_within(text, 80), text.trim_end());
    }

    #[test]
    fn what_is_quoted_stays_on_a_line() {
        assert_eq!(words("deed logic eval '{\"a\": 1}' x"), ["deed", "logic", "eval", "'{\"a\": 1}'", "x"]);
    }
}
