//! The part of a statement before its value: `return`, `local config =`, `let car: [String: Any] =`.

use super::cursor::Cursor;
use crate::embed::words;
use crate::prose::is_doubtful;
use crate::repair::guided::lone::TAKE_BACK;

/// Longer than the part of a statement before its value.
const LONGEST: usize = 200;
/// Words of a statement that say nothing of its value.
const KEYWORDS: [&str; 44] = [
    "const",
    "let",
    "var",
    "val",
    "final",
    "auto",
    "static",
    "local",
    "my",
    "our",
    "export",
    "public",
    "private",
    "internal",
    "readonly",
    "struct",
    "mut",
    "lazy",
    "def",
    "dim",
    "set",
    "string",
    "object",
    "list",
    "dict",
    "map",
    "array",
    "table",
    "hash",
    "int",
    "def",
    "global",
    "pub",
    "protected",
    "data",
    "dynamic",
    "constexpr",
    "volatile",
    "unsigned",
    "long",
    "char",
    "float",
    "double",
    "bool",
];
/// Words of a name by which a program holds another value than the one it uses.
const OTHERS: [&str; 25] = [
    "sample",
    "template",
    "draft",
    "tmp",
    "temp",
    "dummy",
    "mock",
    "deprecated",
    "legacy",
    "backup",
    "invalid",
    "bad",
    "broken",
    "failed",
    "stub",
    "fallback",
    "alternative",
    "original",
    "undo",
    "outdated",
    "obsolete",
    "fake",
    "fixture",
    "candidate",
    "todo",
];

/// Passes the part of a statement before its value; none where it casts doubt on the value.
pub(super) fn statement(cursor: &mut Cursor<'_>) -> Option<()> {
    for mark in ["<?php", "<?="] {
        cursor.take(mark);
        cursor.gap();
    }
    for word in ["return", "export default"] {
        let rest = cursor.rest().strip_prefix(word);
        if rest.is_some_and(|rest| rest.starts_with([' ', '\n', '{', '[', '('])) {
            cursor.take(word);
            cursor.gap();
            return Some(());
        }
    }
    let Some((head, width)) = assigned(cursor.rest()) else { return Some(()) };
    let Some(name) = named(head) else { return Some(()) };
    if is_doubted(name) {
        return None;
    }
    cursor.pos += width;
    cursor.gap();
    Some(())
}

/// Returns whether a line assigns to a variable that holds another value than the one that is meant.
pub(crate) fn is_other_variable(line: &str) -> bool {
    assigned(line.trim_start()).and_then(|(head, _)| named(head)).is_some_and(is_doubted)
}

/// The text before the mark of an assignment on the first line, and where the mark ends.
fn assigned(text: &str) -> Option<(&str, usize)> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take_while(|(at, c)| *c != '\n' && *at < LONGEST) {
        let rest = text.get(at..)?;
        match c {
            '<' if depth == 0 && rest.starts_with("<-") => return Some((text.get(..at)?, at + 2)),
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.checked_sub(1)?,
            '=' if depth == 0 && !rest.starts_with("==") && !rest.starts_with("=>") => {
                let head = text.get(..at)?;
                return Some((head.strip_suffix(':').unwrap_or(head), at + 1));
            }
            '"' | '\'' | '{' | '(' | ';' | '#' | '/' => return None,
            _ => {}
        }
    }
    None
}

/// The name that a statement assigns to, where nothing but keywords and types stand beside it.
fn named(head: &str) -> Option<&str> {
    let names = head.split_once(':').map_or(head, |(names, _)| names);
    let mut words = names.split_whitespace().rev();
    let name = words.next()?.trim_start_matches(['$', '%', '@', '*', '&']);
    let name = name.strip_suffix("[]").unwrap_or(name);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_type = |word: &str| word.starts_with(char::is_uppercase) || word.contains(['<', '>', '[', ']', '*']);
    let is_known = |word: &str| KEYWORDS.contains(&word) || is_type(word);
    (is_name && !name.starts_with(|c: char| c.is_ascii_digit()) && words.all(is_known)).then_some(name)
}

/// Returns whether the name of a variable or type says that its value is another than the one that is meant.
pub(crate) fn is_doubted(name: &str) -> bool {
    const ALONE: [&str; 7] = ["expected", "before", "default", "defaults", "initial", "want", "wanted"];
    const ANSWERS: [&str; 7] = ["result", "output", "value", "response", "answer", "payload", "reply"];
    let named: Vec<String> = words(name).iter().map(|word| word.to_lowercase()).collect();
    let is_answer = |word: &String| ANSWERS.contains(&word.as_str());
    let is_alone = |word: &String| ALONE.contains(&word.as_str());
    // `default_config` may be what was asked for; `default_result` is there for want of one.
    let is_other = named.iter().any(is_alone) && named.iter().all(|word| is_alone(word) || is_answer(word));
    is_other
        || named.iter().any(|word| {
            let word = word.as_str();
            TAKE_BACK.contains(&word) || OTHERS.contains(&word) || is_doubtful(word)
        })
}

#[cfg(test)]
mod tests {
    use super::{assigned, is_doubted, named};

    #[test]
    fn the_name_of_an_assignment_is_found() {
        for (text, name) in [
            ("let car: [String: Any] = [1]", Some("car")),
            ("Map<String, Object> order = Map.of()", Some("order")),
            ("settings <- list(a = 1)", Some("settings")),
            ("$config = [1]", Some("config")),
            ("my %config = (a => 1)", Some("config")),
            ("cfg := Config{A: 1}", Some("cfg")),
            ("the old answer = {}", None),
            ("if a == b {", None),
        ] {
            assert_eq!(assigned(text).and_then(|(head, _)| named(head)), name, "{text}");
        }
    }

    #[test]
    fn names_that_question_their_value_are_told() {
        for name in ["oldConfig", "example_order", "wrong", "PreviousState", "draft"] {
            assert!(is_doubted(name), "{name}");
        }
        for name in ["config", "goldenRecord", "Order", "threshold"] {
            assert!(!is_doubted(name), "{name}");
        }
    }
}
