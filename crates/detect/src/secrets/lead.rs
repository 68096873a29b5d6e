//! Leads: the sequences of byte sets that every match of a pattern begins with.
//!
//! Every match begins with one of the leads: its first byte is in the lead's first set, its second in the
//! second, and so on to the lead's end. What is proven is only that direction, so a lead may stop early
//! wherever the pattern becomes hard to follow.

use std::collections::BTreeMap;

use deed_canon::Invariant;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use crate::bytes::ByteSet;

/// The longest lead. More would only be compared, never needed.
const LONGEST: usize = 48;
/// The most leads of one pattern; where there would be more, they end.
const MOST: usize = 64;
/// Repetitions whose bounds are this close are followed in each of their lengths.
const CLOSE: u32 = 3;

/// The distinct byte sets of many leads, each under its index.
#[derive(Default)]
pub(super) struct Sets {
    pub(super) sets: Vec<ByteSet>,
    indices: BTreeMap<ByteSet, usize>,
}

impl Sets {
    fn index_of(&mut self, set: ByteSet) -> usize {
        *self.indices.entry(set).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() - 1
        })
    }
}

/// One way in which matches begin.
#[derive(Clone)]
pub(super) struct Lead {
    /// Byte sets, by index.
    pub(super) sets: Vec<usize>,
    /// True if the rest of the pattern extends this lead.
    open: bool,
}

impl Lead {
    /// The lead of a literal in any case.
    pub(super) fn of_word(word: &str, sets: &mut Sets) -> Self {
        let either = |b: u8| ByteSet::EMPTY.with(b.to_ascii_lowercase()).with(b.to_ascii_uppercase());
        Self { sets: word.bytes().map(|byte| sets.index_of(either(byte))).collect(), open: false }
    }

    fn push(&mut self, set: usize) {
        if self.sets.len() < LONGEST {
            self.sets.push(set);
        }
        self.open &= self.sets.len() < LONGEST;
    }

    /// Ends the lead where it could run over the joint of a name and its value.
    ///
    /// A value under a name is searched as `name="value"`, while the same stands in JSON as
    /// `"name":"value"`. A lead that never reaches over `="` is the same in both.
    fn within_one_text(mut self, known: &Sets) -> Self {
        let has = |at: usize, byte: u8| self.sets.get(at).and_then(|set| known.sets.get(*set)).map(|set| set.has(byte));
        let joint = (0..self.sets.len()).find(|at| has(*at, b'=') == Some(true) && has(at + 1, b'"') != Some(false));
        if let Some(joint) = joint {
            self.sets.truncate(joint);
        }
        self
    }
}

/// The leads of a pattern, or `None` if it cannot be read.
pub(super) fn leads(pattern: &str, sets: &mut Sets) -> Option<Vec<Lead>> {
    let hir = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok()?;
    let leads = follow(vec![Lead { sets: Vec::new(), open: true }], &hir, sets);
    Some(leads.into_iter().map(|lead| lead.within_one_text(sets)).collect())
}

/// The leads, with the open ones followed through a further part of the pattern.
fn follow(mut leads: Vec<Lead>, hir: &Hir, sets: &mut Sets) -> Vec<Lead> {
    if !leads.iter().any(|lead| lead.open) {
        return leads;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => leads,
        HirKind::Literal(literal) => {
            for byte in &literal.0 {
                push(&mut leads, sets.index_of(ByteSet::EMPTY.with(*byte)));
            }
            leads
        }
        HirKind::Class(class) => {
            match byte_set(class) {
                Some(set) => push(&mut leads, sets.index_of(set)),
                None => close(&mut leads),
            }
            leads
        }
        HirKind::Repetition(repetition) => repeat(leads, repetition, sets),
        HirKind::Capture(capture) => follow(leads, &capture.sub, sets),
        HirKind::Concat(parts) => parts.iter().fold(leads, |leads, part| follow(leads, part, sets)),
        HirKind::Alternation(ways) => fork(leads, ways.iter(), |leads, way| follow(leads, way, sets)),
    }
}

fn repeat(leads: Vec<Lead>, repetition: &Repetition, sets: &mut Sets) -> Vec<Lead> {
    let mut least = times(leads, repetition.min, &repetition.sub, sets);
    match repetition.max.map(|max| max - repetition.min) {
        Some(spread) if spread <= CLOSE => {
            fork(least, 0..=spread, |leads, more| times(leads, more, &repetition.sub, sets))
        }
        _ => {
            close(&mut least);
            least
        }
    }
}

/// The leads with a part so many times over. A lead that is full takes no more, so that ends by itself.
fn times(leads: Vec<Lead>, times: u32, part: &Hir, sets: &mut Sets) -> Vec<Lead> {
    (0..times.min(LONGEST as u32)).fold(leads, |leads, _| follow(leads, part, sets))
}

/// The open leads followed in every one of several ways, or ended where that would be too many.
fn fork<W>(
    leads: Vec<Lead>,
    ways: impl Iterator<Item = W>,
    mut go: impl FnMut(Vec<Lead>, W) -> Vec<Lead>,
) -> Vec<Lead> {
    let (open, mut forked): (Vec<Lead>, Vec<Lead>) = leads.into_iter().partition(|lead| lead.open);
    let ended = forked.len();
    for way in ways {
        forked.extend(go(open.clone(), way));
    }
    if forked.len() > MOST {
        forked.truncate(ended);
        forked.extend(open);
        close(&mut forked);
    }
    forked
}

fn push(leads: &mut [Lead], set: usize) {
    for lead in leads.iter_mut().filter(|lead| lead.open) {
        lead.push(set);
    }
}

fn close(leads: &mut [Lead]) {
    for lead in leads {
        lead.open = false;
    }
}

/// The bytes of a class whose members are one byte each.
pub(super) fn byte_set(class: &Class) -> Option<ByteSet> {
    let all = |set: ByteSet, range: std::ops::RangeInclusive<u8>| range.fold(set, ByteSet::with);
    match class {
        Class::Bytes(class) => {
            Some(class.ranges().iter().fold(ByteSet::EMPTY, |set, range| all(set, range.start()..=range.end())))
        }
        Class::Unicode(class) => class.is_ascii().then(|| {
            let bytes = |c: char| u8::try_from(c).invariant("a character of an ASCII class is a byte");
            class.ranges().iter().fold(ByteSet::EMPTY, |set, range| all(set, bytes(range.start())..=bytes(range.end())))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leads, each set as its only byte or as its size.
    fn shown(pattern: &str) -> Vec<String> {
        let mut sets = Sets::default();
        let leads = leads(pattern, &mut sets).unwrap();
        let set = |set: &usize| match sets.sets[*set].iter().collect::<Vec<_>>().as_slice() {
            [one] => char::from(*one).to_string(),
            more => format!("<{}>", more.len()),
        };
        leads.iter().map(|lead| lead.sets.iter().map(set).collect()).collect()
    }

    #[test]
    fn follows_what_is_certain() {
        assert_eq!(shown("ab[0-9]{2}c"), ["ab<10><10>c"]);
        assert_eq!(shown("a(?:x|yy)b"), ["axb", "ayyb"]);
        assert_eq!(shown("a[0-9]{1,2}b"), ["a<10>b", "a<10><10>b"]);
        assert_eq!(shown("a[0-9]{2,}b"), ["a<10><10>"]);
        assert_eq!(shown("(?i:k)x?y"), ["<2>y", "<2>xy"]);
        assert_eq!(shown(r"\b(?P<secret>a)\b"), ["a"]);
        assert_eq!(shown("a[^b]c"), ["a<255>c"]);
        assert_eq!(shown("a(?u:[^b])c"), ["a"]);
    }

    #[test]
    fn ends_where_a_value_could_begin() {
        assert_eq!(shown("ab="), ["ab"]);
        assert_eq!(shown("ab=\"c"), ["ab"]);
        assert_eq!(shown("ab=cd"), ["ab=cd"]);
    }

    #[test]
    fn ends_where_there_would_be_too_many() {
        assert_eq!(shown("(?:ab|c)(?:ab|c)(?:ab|c)(?:ab|c)(?:ab|c)(?:ab|c)(?:ab|c)x").len(), 64);
        assert_eq!(shown("[a-z]{99}"), ["<26>".repeat(LONGEST)]);
    }
}
