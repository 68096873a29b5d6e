//! Keeps secrets out of every text that is shown, whole or in part.
//!
//! A message may quote a value shortened, or with its line breaks flattened, so it is not enough to search for
//! the whole secret: any run of it that is long enough to be useful is concealed.

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
}

impl Concealer {
    /// Collects the secrets to conceal.
    pub(crate) fn of<'a>(secrets: impl Iterator<Item = &'a str>) -> Self {
        let mut concealer = Self::default();
        for secret in secrets {
            let flat = flattened(secret);
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
}
