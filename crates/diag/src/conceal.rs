//! Keeps secrets out of every text that is shown, whole or in part.
//!
//! A message may quote a value cut short, or with its line breaks flattened, so it is not enough to look for
//! a secret as it stands: any run of it that is long enough to be of use is concealed.

use std::collections::HashSet;

/// The shortest part of a secret that is worth concealing.
const WINDOW: usize = 10;
/// A shorter text would tear ordinary words apart, and is no secret.
const SHORTEST: usize = 6;
const SHOWN: &str = "[concealed]";

/// What must not be shown.
#[derive(Default)]
pub(crate) struct Concealer {
    windows: HashSet<[u8; WINDOW]>,
    short: Vec<String>,
}

impl Concealer {
    /// Gathers what must not be shown.
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

    /// The text without any part of a secret.
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
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let start = flat.floor_char_boundary(*first);
            out.push_str(flat.get(shown_to..start).unwrap_or_default());
            out.push_str(SHOWN);
            shown_to = flat.ceil_char_boundary(last + WINDOW);
        }
        out.push_str(flat.get(shown_to..).unwrap_or_default());
        out
    }
}

/// As quoting flattens a text, byte for byte.
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
