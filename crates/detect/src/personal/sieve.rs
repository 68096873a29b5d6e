//! The sieve of personal data: text enters, the kinds leave that it may hold; of all others it certainly
//! holds none.
//!
//! One walk over the groups of digits asks of each what every detector would ask first, and where that is
//! cheap, all that it would ask. Dates, amounts, counts and identifiers are thus passed over without a
//! pattern being tried.

use super::context::Names;
use super::digits::{Group, leading_digits};
use super::{PersonalKind, aadhaar, cpf, credit_card, dni, email, iban, nhs, pan, phone, ssn};
use crate::reading::Reading;

/// Some of the kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u16);

impl Kinds {
    /// The set with one kind more.
    #[must_use]
    pub(crate) fn with(self, kind: PersonalKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Returns true if the kind is in the set.
    pub(crate) fn has(self, kind: PersonalKind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// Returns true if the set is empty.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The kinds, of those asked for, that the text may hold. [`PersonalKind::ApiKey`] is not looked at.
pub(crate) fn suspects(text: &str, asked: Kinds, reading: Reading) -> Kinds {
    let mut walk = Walk { text, asked, reading, found: Kinds::default(), unnamed: Kinds::default() };
    walk.look(PersonalKind::Email, || email::may_be_in(text));
    walk.look(PersonalKind::Dni, || dni::is_in(text));
    for_each_group(text.as_bytes(), |group| match group {
        Place::BehindCapital(start) => walk.behind_capital(start),
        Place::Apart(start, end) => walk.apart(&Group { start, end, tie: None }),
    });
    walk.found
}

struct Walk<'t> {
    text: &'t str,
    asked: Kinds,
    reading: Reading,
    found: Kinds,
    /// Kinds whose names were looked for and are not there.
    unnamed: Kinds,
}

impl Walk<'_> {
    fn behind_capital(&mut self, start: usize) {
        let text = self.text;
        self.look(PersonalKind::Iban, || iban::may_end_head(text, start));
        self.look(PersonalKind::Pan, || pan::may_be_around(text, start));
    }

    fn apart(&mut self, group: &Group) {
        let (text, reading) = (self.text, self.reading);
        let bytes = text.as_bytes();
        let continues = matches!(bytes.get(group.end), Some(b' ' | b'-' | b'.' | b'(' | b')'));
        if group.len() < FEWEST && !continues {
            return;
        }
        match group.len() {
            3 => {
                self.look(PersonalKind::Ssn, || ssn::may_begin(bytes, group));
                self.look(PersonalKind::NhsNumber, || nhs::is_grouped_at(text, group));
                self.look(PersonalKind::Cpf, || cpf::is_printed_at(text, group));
                if nhs::has_groups(text, group) {
                    self.look_by_name(PersonalKind::NhsNumber, nhs::NAMES);
                }
            }
            9 => {
                self.look_by_name(PersonalKind::Ssn, ssn::NAMES);
                self.look(PersonalKind::Cpf, || cpf::is_printed_at(text, group));
            }
            10 => self.look_by_name(PersonalKind::NhsNumber, nhs::NAMES),
            11 => self.look_by_name(PersonalKind::Cpf, cpf::NAMES),
            // Dates have two digits in their second group.
            4 => match bytes.get(group.end..).and_then(<[u8]>::split_first) {
                Some((b' ' | b'-', rest)) if matches!(leading_digits(rest), 4 | 6) => {
                    self.look(PersonalKind::CreditCard, || credit_card::is_at(text, group));
                    self.look(PersonalKind::Aadhaar, || aadhaar::is_at(text, group));
                }
                _ => {}
            },
            12 => self.look(PersonalKind::Aadhaar, || aadhaar::is_at(text, group)),
            13..=19 => self.look(PersonalKind::CreditCard, || credit_card::is_at(text, group)),
            _ => {}
        }
        self.look(PersonalKind::Phone, || phone::may_begin(text, group, reading));
    }

    /// Suspects a kind if its name stands anywhere: the elements of an array are far from its name. Each name is
    /// looked for once.
    fn look_by_name(&mut self, kind: PersonalKind, names: Names) {
        if self.unnamed.has(kind) {
            return;
        }
        let text = self.text;
        self.look(kind, || names.are_in(text));
        if !self.found.has(kind) {
            self.unnamed = self.unnamed.with(kind);
        }
    }

    #[inline]
    fn look(&mut self, kind: PersonalKind, may_be: impl FnOnce() -> bool) {
        if self.asked.has(kind) && !self.found.has(kind) && may_be() {
            self.found = self.found.with(kind);
        }
    }
}

/// The fewest digits of any number that is written in one group.
const FEWEST: usize = 8;

/// A group of digits, by what touches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It begins here, right behind a capital.
    BehindCapital(usize),
    /// From here to there, with no letter or underscore on either side.
    Apart(usize, usize),
}

/// Calls `visit` for every group of digits that stands apart or behind a capital.
///
/// The rest are parts of identifiers, which no detector takes for a number.
fn for_each_group(bytes: &[u8], mut visit: impl FnMut(Place)) {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut edge = Edge::default();
    for (index, block) in blocks.iter().enumerate() {
        edge.pass(index * BLOCK, &Classes::of(block), &mut visit);
    }
    // The rest, and one byte at least behind it, so that no group is left open.
    let mut last = [0; BLOCK];
    last.iter_mut().zip(rest).for_each(|(slot, byte)| *slot = *byte);
    edge.pass(blocks.len() * BLOCK, &Classes::of(&last), &mut visit);
}

/// The bytes that are looked at together, a bit for each in a mask.
const BLOCK: usize = 64;

/// The classes of each byte of a block, a bit for each class.
struct Classes([u8; BLOCK]);

/// The bits of the classes. A group that touches a letter or an underscore is part of an identifier.
const DIGIT: u32 = 0;
const LETTER: u32 = 1;
const CAPITAL: u32 = 2;

impl Classes {
    /// Compares all bytes of a block at once.
    #[inline]
    fn of(block: &[u8; BLOCK]) -> Self {
        let mut classes = [0_u8; BLOCK];
        for (class, byte) in classes.iter_mut().zip(block) {
            let letter = (byte | 0x20).is_ascii_lowercase() | (*byte == b'_');
            *class = u8::from(byte.is_ascii_digit()) << DIGIT
                | u8::from(letter) << LETTER
                | u8::from(byte.is_ascii_uppercase()) << CAPITAL;
        }
        Self(classes)
    }

    /// A mask of the bytes of a class.
    #[inline]
    fn mask(&self, class: u32) -> u64 {
        let (words, _) = self.0.as_chunks::<8>();
        words.iter().enumerate().fold(0, |mask, (index, word)| {
            let lows = u64::from_le_bytes(*word) >> class & 0x0101_0101_0101_0101;
            mask | (lows.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (index * 8)
        })
    }
}

/// The state between two blocks.
#[derive(Default)]
struct Edge {
    /// The start of a group that continues in the next block, unless it is part of an identifier.
    open: Option<usize>,
    /// The classes of the last byte.
    last: u8,
}

impl Edge {
    /// Visits the groups of digits that end in the block at this place.
    #[inline]
    fn pass(&mut self, at: usize, classes: &Classes, visit: &mut impl FnMut(Place)) {
        let [.., newest] = classes.0;
        let last = std::mem::replace(&mut self.last, newest);
        let digits = classes.mask(DIGIT);
        if digits == 0 && self.open.is_none() {
            return;
        }
        // Where the byte before is of a class.
        let behind = |mask: u64, class: u32| mask << 1 | u64::from(last >> class & 1);
        let (letters, capitals) = (classes.mask(LETTER), classes.mask(CAPITAL));
        let starts = digits & !behind(digits, DIGIT);
        for_each_bit(starts & behind(capitals, CAPITAL), |bit| visit(Place::BehindCapital(at + bit as usize)));
        if let Some(start) = self.open {
            let length = digits.trailing_ones();
            if length == u64::BITS {
                return;
            }
            self.open = None;
            if letters >> length & 1 == 0 {
                visit(Place::Apart(start, at + length as usize));
            }
        }
        let apart = starts & !behind(letters, LETTER);
        // Adding a group's first bit to it carries to the bit behind its last.
        let (sum, runs_on) = digits.overflowing_add(apart);
        if runs_on {
            self.open = Some(at + BLOCK - digits.leading_ones() as usize);
        }
        for_each_bit(sum & !digits & !letters, |end| {
            let length = (digits << (u64::BITS - end)).leading_ones();
            visit(Place::Apart(at + (end - length) as usize, at + end as usize));
        });
    }
}

#[inline]
fn for_each_bit(mut mask: u64, mut visit: impl FnMut(u32)) {
    while mask != 0 {
        visit(mask.trailing_zeros());
        mask &= mask - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::digits::groups;
    use crate::shape::Dice;

    #[test]
    fn visits_every_group_that_stands_apart_or_behind_a_capital() {
        let words = ["12", "345", "a", "_", "-", " ", "é", "7", "99999999999999999999", "B", "x1", "."];
        let mut dice = Dice::new(9);
        for length in (0..60).cycle().take(6_000) {
            let text: String = (0..length).map(|_| words[dice.below(words.len())]).collect();
            let bytes = text.as_bytes();
            let at = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or_default();
            let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
            let mut expected = Vec::new();
            for group in groups(&text) {
                let (before, after) = (at(group.start.checked_sub(1)), at(Some(group.end)));
                if before.is_ascii_uppercase() {
                    expected.push(Place::BehindCapital(group.start));
                } else if !letter(before) && !letter(after) {
                    expected.push(Place::Apart(group.start, group.end));
                }
            }
            let mut visited = Vec::new();
            for_each_group(bytes, |place| visited.push(place));
            let start = |place: &Place| match place {
                Place::BehindCapital(start) | Place::Apart(start, _) => *start,
            };
            visited.sort_by_key(start);
            assert_eq!(visited, expected, "{text:?}");
        }
    }
}
