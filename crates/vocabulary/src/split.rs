//! Splits text into pieces by the pattern of a vocabulary.
//!
//! The published patterns look ahead (`\s+(?!\S)`), which an automaton cannot. The alternative is written as `\s+\s`
//! here, and the last character is given back.

use deed_diag::Invariant;
use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};
use std::sync::LazyLock;

/// The alternatives before the blanks, then blanks with one character too many, then blanks.
const LOOKAHEAD: usize = 1;

/// A pattern that is compiled when the first text is split.
#[derive(Debug)]
pub(crate) struct Pattern {
    regex: LazyLock<Regex>,
}

macro_rules! pattern {
    ($words:expr) => {
        Pattern {
            regex: LazyLock::new(|| Regex::new_many(&[$words, r"\s+\s", r"\s+"]).invariant("the pattern compiles")),
        }
    };
}

pub(crate) static O200K: Pattern = pattern!(concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+$"
));

pub(crate) static CL100K: Pattern = pattern!(concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+$"
));

impl Pattern {
    pub(crate) fn split<'t>(&'static self, text: &'t str) -> Pieces<'t> {
        Pieces { regex: &self.regex, rest: text }
    }
}

/// The pieces of a text.
#[derive(Debug)]
pub struct Pieces<'t> {
    regex: &'static Regex,
    rest: &'t str,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let found = self.regex.find(Input::new(self.rest).anchored(Anchored::Yes))?;
        let mut end = found.end();
        if found.pattern().as_usize() == LOOKAHEAD {
            let last = self.rest.get(..end).and_then(|matched| matched.chars().next_back());
            end -= last.invariant("blanks of two characters match").len_utf8();
        }
        let (piece, rest) = self.rest.split_at_checked(end).invariant("a match ends between characters");
        self.rest = rest;
        Some(piece)
    }
}
