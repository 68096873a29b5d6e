//! Fences: encloses neutralized text between two lines that name it.
//!
//! The lines begin with `<<<` and `>>>`, which neutralized text never contains, so nothing inside can end its fence or
//! open another.

use super::neutral::{Neutralized, neutralize};

/// A fence that is being written: `<<<id word word`, the body and `>>>`, each on its own lines, without a final
/// newline.
///
/// The id is ours. The words come from data: they are neutralized, and quoted as in JSON if a blank, `=` or `"` would
/// let them read as several.
pub(crate) struct Fence<'o> {
    out: &'o mut String,
    counts: Neutralized,
}

impl<'o> Fence<'o> {
    pub(crate) fn open(id: &str, out: &'o mut String) -> Self {
        out.push_str("<<<");
        out.push_str(id);
        Self { out, counts: Neutralized::default() }
    }

    pub(crate) fn word(&mut self, word: &str) {
        self.out.push(' ');
        push_word(word, &mut self.counts, self.out);
    }

    /// Writes the neutralized body, and returns the counts for the words.
    pub(crate) fn close(self, body: &str) -> Neutralized {
        self.out.push('\n');
        self.out.push_str(body);
        self.out.push_str("\n>>>");
        self.counts
    }
}

/// Writes a value from data as one word of its line.
fn push_word(value: &str, counts: &mut Neutralized, out: &mut String) {
    let value = neutralize(value, counts);
    let parts = |c: char| c.is_whitespace() || matches!(c, '=' | '"');
    if value.is_empty() || value.contains(parts) {
        push_quoted(&value, out);
    } else {
        out.push_str(&value);
    }
}

/// Writes a JSON string. Neutralized text has no other control characters than these.
fn push_quoted(value: &str, out: &mut String) {
    out.push('"');
    for c in value.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fenced(words: &[&str], body: &str) -> (String, Neutralized) {
        let mut out = String::new();
        let mut fence = Fence::open("ev_1", &mut out);
        words.iter().for_each(|word| fence.word(word));
        let counts = fence.close(body);
        (out, counts)
    }

    #[test]
    fn writes_both_lines() {
        assert_eq!(fenced(&["crm", "2d"], "two\nlines").0, "<<<ev_1 crm 2d\ntwo\nlines\n>>>");
        assert_eq!(fenced(&[], "").0, "<<<ev_1\n\n>>>");
    }

    #[test]
    fn words_stay_one_word() {
        let (out, _) = fenced(&["a b", "say \"no\"\n\\", "", "1=1"], "");
        assert_eq!(out, "<<<ev_1 \"a b\" \"say \\\"no\\\"\\n\\\\\" \"\" \"1=1\"\n\n>>>");
    }

    #[test]
    fn words_are_neutralized_and_counted_once() {
        let (out, counts) = fenced(&["<<<x", "a\u{202e}"], "b");
        assert_eq!(out, "<<<ev_1 <<\\<x a\\u{202e}\nb\n>>>");
        assert_eq!(counts, Neutralized { bidi: 1, fence: 1, ..Neutralized::default() });
    }

    proptest! {
        #[test]
        fn only_our_lines_are_fences(word in "\\PC{0,20}|[<>\\s\"=]{0,12}", body in "[<>a\\n]{0,40}") {
            let body = neutralize(&body, &mut Neutralized::default()).into_owned();
            let (out, _) = fenced(&[&word], &body);
            prop_assert_eq!(out.matches("<<<").count(), 1);
            prop_assert_eq!(out.matches(">>>").count(), 1);
            prop_assert_eq!(out.lines().count(), 2 + format!("{body}\n").lines().count());
        }
    }
}
