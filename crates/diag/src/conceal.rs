//! Keeps secrets out of every text that is shown, whole or in part.
//!
//! A message may quote a value shortened, or with its line breaks flattened, so it is not enough to search for
//! the whole secret: any run of it that is long enough to be useful is concealed, wherever user input may stand. In the
//! words of the message itself, outside of its quotes, only a whole secret is, and none that could be such words: a
//! document must not be able to hide why it was refused.

use deed_canon::Invariant as _;
use std::collections::HashSet;

/// The length of the shortest part of a secret that is concealed.
const WINDOW: usize = 10;
/// A shorter text is not treated as a secret: concealing it would tear ordinary words apart.
const SHORTEST: usize = 6;
const SHOWN: &str = "[concealed]";

/// The secrets to conceal.
#[derive(Default)]
pub(crate) struct Concealer {
    windows: HashSet<[u8; WINDOW]>,
    short: Vec<String>,
    /// Secrets that no message of ours could contain, for the parts of a message that quote nothing.
    unlike_words: Vec<String>,
}

impl Concealer {
    /// Collects the secrets to conceal.
    pub(crate) fn of<'a>(secrets: impl Iterator<Item = &'a str>) -> Self {
        let mut concealer = Self::default();
        for secret in secrets {
            let flat = flattened(secret);
            if flat.len() >= SHORTEST && !is_plain(&flat) && !concealer.unlike_words.contains(&flat) {
                concealer.unlike_words.push(flat.clone());
            }
            if flat.len() < WINDOW {
                if flat.len() >= SHORTEST && !concealer.short.contains(&flat) {
                    concealer.short.push(flat);
                }
                continue;
            }
            concealer.windows.extend(flat.as_bytes().array_windows::<WINDOW>().copied());
        }
        concealer
    }

    /// Returns a message with its secrets replaced: every part of one from the first quote of the message to the last,
    /// and whole ones elsewhere.
    pub(crate) fn scrub_message(&self, message: &str) -> String {
        let quotes = ['`', '"'];
        let (Some(first), Some(last)) = (message.find(quotes), message.rfind(quotes)) else {
            return self.scrub_words(message);
        };
        // Quotes are one byte each.
        let (before, rest) = message.split_at_checked(first).invariant("a quote begins a character");
        let (quoted, after) = rest.split_at_checked(last + 1 - first).invariant("a quote ends a character");
        format!("{}{}{}", self.scrub_words(before), self.scrub(quoted), self.scrub_words(after))
    }

    fn scrub_words(&self, words: &str) -> String {
        self.unlike_words.iter().fold(words.to_owned(), |out, secret| out.replace(secret, SHOWN))
    }

    /// Returns the text with every part of a secret replaced.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let cleared = self.short.iter().fold(text.to_owned(), |out, secret| out.replace(secret, SHOWN));
        if self.windows.is_empty() {
            return cleared;
        }
        let flat = flattened(&cleared);
        let hit: Vec<usize> = flat
            .as_bytes()
            .array_windows::<WINDOW>()
            .enumerate()
            .filter(|(_, window)| self.windows.contains(*window))
            .map(|(at, _)| at)
            .collect();
        if hit.is_empty() {
            return cleared;
        }
        let mut out = String::new();
        let mut shown_to = 0;
        for run in hit.chunk_by(|a, b| *b <= *a + WINDOW) {
            let (first, last) = run.first().zip(run.last()).invariant("a run has a hit");
            let start = flat.floor_char_boundary(*first);
            out.push_str(flat.get(shown_to..start.max(shown_to)).invariant("cut between characters"));
            out.push_str(SHOWN);
            shown_to = flat.ceil_char_boundary(last + WINDOW);
        }
        out.push_str(flat.get(shown_to..).invariant("cut between characters"));
        out
    }
}

/// Returns true for words that a message could be made of.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase() || matches!(c, ' ' | ',' | '.' | ':' | ';' | '-' | '\''))
}

/// Flattens a text as quoting does, byte for byte.
fn flattened(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_secret_are_concealed_too() {
        let concealer = Concealer::of(["ghp_abcdefghijklmnopqrstuvwxyz", "line one\nline two", "hunter2"].into_iter());
        assert_eq!(concealer.scrub("`ghp_abcdefghijkl…` is unknown"), "`[concealed]…` is unknown");
        assert_eq!(concealer.scrub("x fghijklmnopqrstuv y"), "x [concealed] y");
        assert_eq!(concealer.scrub("`line one line two`"), "`[concealed]`");
        assert_eq!(concealer.scrub("not hunter2!"), "not [concealed]!");
        assert_eq!(concealer.scrub("nothing to hide"), "nothing to hide");
        assert_eq!(concealer.scrub("ü ghp_abcdefghij ü"), "ü [concealed] ü");
    }

    #[test]
    fn a_secret_cannot_hide_the_words_of_a_message() {
        let secrets = ["must be a list, not a string", "Tr0ub4dor-and-3-of-its-kind", "refused"];
        let concealer = Concealer::of(secrets.into_iter());
        let message = "`request` must be a list, not a string";
        assert_eq!(concealer.scrub_message(message), message);
        assert_eq!(concealer.scrub_message("the pack is refused"), "the pack is refused");
        // What is quoted may be a part of a secret, and what is not quoted a whole one.
        assert_eq!(concealer.scrub_message("unknown key `Tr0ub4dor-and…`"), "unknown key `[concealed]…`");
        assert_eq!(concealer.scrub_message("got \"must be a list\" here"), "got \"[concealed]\" here");
        let bare = "at Tr0ub4dor-and-3-of-its-kind, expected 3";
        assert_eq!(concealer.scrub_message(bare), "at [concealed], expected 3");
    }
}
