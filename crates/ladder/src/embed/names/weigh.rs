//! The words of a name, weighed: each laid out along the directions of its concepts, the head of the name twice.

use super::Names;
use super::read::{LISTED, Word};
use crate::embed::feature;
use crate::embed::lexicon::{Class, Concept};
use crate::embed::split::LONGEST;

/// How much the words of a name weigh.
const SUBJECT: u64 = 800;
const ENTITY: u64 = 3500;
const UNIT: u64 = 3500;
const PLAIN: u64 = 4000;
const POLAR: u64 = 4500;
const HEAD: u64 = 3000;
const HEAD_TWICE: u64 = 2500;

/// Parts of the whole, in thousandths: the exact set of concepts, and the exact spelling.
const SET: u64 = 200;
const SPELLING: u64 = 50;

/// How far the first of several meanings is believed, in thousandths.
const LIKELIEST: u64 = 650;

/// Of a word that nothing is known about, the part that its letters make up.
const LETTERS: i32 = 450;

impl Names {
    /// The features of the words, each weighed by what kind of word it is, and the head's twice.
    pub(super) fn weighted(&self, words: &[Word]) -> Vec<(u64, i32)> {
        let head = self.head(words);
        let mut features = Vec::with_capacity(words.len() * 6);
        for (at, word) in words.iter().enumerate() {
            if Some(at) == head {
                self.spread(word, HEAD, 0, &mut features);
                self.spread(word, HEAD_TWICE, 0x9e37_79b9_7f4a_7c15, &mut features);
            } else {
                self.spread(word, self.weight(word), 0, &mut features);
            }
        }
        features
    }

    /// The word that says what kind of value it is: the last that names a kind, else the last that is neither a number
    /// nor a unit.
    fn head(&self, words: &[Word]) -> Option<usize> {
        let is_unit = |word: &Word| self.any(word, |facts| facts.class == Class::Unit);
        let last = |is: &dyn Fn(&Word) -> bool| words.iter().rposition(is);
        last(&|word| self.any(word, |facts| facts.is_head))
            .or_else(|| last(&|word| !word.is_number && !is_unit(word) && !self.is_subject(word)))
            .or_else(|| last(&|word| !word.is_number))
            .or_else(|| last(&|_| true))
    }

    fn weight(&self, word: &Word) -> u64 {
        if self.is_subject(word) {
            return SUBJECT;
        }
        match self.class(word) {
            Class::Weak => SUBJECT,
            Class::Entity => ENTITY,
            Class::Unit => UNIT,
            Class::Plain => PLAIN,
            Class::Polar => POLAR,
        }
    }

    /// Lays a word out along its own direction, those it shares, and its letters where they are all there is.
    fn spread(&self, word: &Word, weight: u64, salt: u64, features: &mut Vec<(u64, i32)>) {
        let square = weight * weight;
        for (meaning, share) in word.meanings.iter().zip(shares(word.meanings.len())) {
            let part = square * word.trust / 1000 * share / 1000;
            let shared = self.lexicon.facts(*meaning).map_or(&[][..], |facts| facts.shared.as_slice());
            let letters = if word.is_unknown() { LETTERS } else { 0 };
            let taken: i32 = shared.iter().map(|(_, share)| share.abs()).sum::<i32>() + letters;
            features.push((meaning ^ salt, amplitude(part, 1000 - taken)));
            features.extend(shared.iter().map(|(axis, share)| (axis ^ salt, amplitude(part, *share))));
            if let Some(letters) = word.letters.as_deref().filter(|_| word.is_unknown()) {
                let grams = trigrams(letters);
                let each = part / u64::try_from(grams.len()).unwrap_or(1).max(1);
                features.extend(grams.into_iter().map(|gram| (gram ^ salt, amplitude(each, LETTERS))));
            }
        }
        if let (Some(letters), true) = (&word.letters, word.trust < LISTED) {
            features.push((feature("letters", letters) ^ salt, amplitude(square * (LISTED - word.trust) / 1000, 1000)));
        }
    }

    /// Adds the directions of the exact set of concepts and of the exact spelling.
    pub(super) fn sharpen(&self, features: &mut Vec<(u64, i32)>, words: &[Word], spelled: &[String], text: &str) {
        let norm: u64 = features.iter().map(|(_, weight)| u64::from(weight.unsigned_abs()).pow(2)).sum();
        let part = |thousandths: u64| norm * thousandths / (1000 - SET - SPELLING);
        let sets = self.sets(words);
        let shares = shares(sets.len());
        features
            .extend(sets.into_iter().zip(shares).map(|(set, share)| (set, amplitude(part(SET) * share / 1000, 1000))));
        features.push((feature("spelled", &spelled.join(" ")), amplitude(part(SPELLING), 1000)));
        // What lies beyond the cap was not read, so such a name is like nothing but itself.
        if text.chars().nth(LONGEST).is_some() {
            features.push((feature("whole", text), amplitude(norm.saturating_mul(8), 1000)));
        }
    }

    /// The sets of concepts that tell a name apart, one for each meaning of its first ambiguous word.
    fn sets(&self, words: &[Word]) -> Vec<u64> {
        let head = self.head(words);
        let telling = |at: usize, word: &Word| {
            // Where the record's own subject is known, any other entity is somebody else's.
            let is_quiet = match self.class(word) {
                Class::Weak => true,
                Class::Entity => self.subject.is_empty(),
                Class::Unit | Class::Plain | Class::Polar => false,
            };
            Some(at) == head || !(is_quiet || self.is_subject(word))
        };
        let telling: Vec<&Word> =
            words.iter().enumerate().filter(|(at, word)| telling(*at, word)).map(|(_, word)| word).collect();
        let ambiguous = telling.iter().position(|word| word.meanings.len() > 1);
        let variants = ambiguous.and_then(|at| telling.get(at)).map_or(1, |word| word.meanings.len());
        let set = |variant: usize| {
            let chosen = |(at, word): (usize, &&Word)| {
                let nth = if Some(at) == ambiguous { variant } else { 0 };
                word.meanings.get(nth).map(|meaning| self.family(*meaning))
            };
            let mut set: Vec<u64> = telling.iter().enumerate().filter_map(chosen).collect();
            set.sort_unstable();
            set.iter().fold(feature("set", ""), |hash, concept| {
                (hash ^ concept).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17)
            })
        };
        (0..variants).map(set).collect()
    }

    pub(super) fn family(&self, concept: Concept) -> u64 {
        self.lexicon.facts(concept).and_then(|facts| facts.family).unwrap_or(concept)
    }
}

/// The letters of a word in threes, its ends marked.
fn trigrams(word: &str) -> Vec<u64> {
    let marked: Vec<char> = std::iter::once('^').chain(word.chars()).chain(std::iter::once('$')).collect();
    let mut grams: Vec<u64> =
        marked.windows(3).map(|gram| feature("letters of", &gram.iter().collect::<String>())).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// How far each of several meanings is believed, in thousandths: the first more than the others together.
fn shares(meanings: usize) -> impl Iterator<Item = u64> {
    let others = u64::try_from(meanings).unwrap_or(1).saturating_sub(1);
    let first = if others == 0 { 1000 } else { LIKELIEST };
    let rest = (1000 - first) / others.max(1);
    std::iter::once(first).chain(std::iter::repeat_n(rest, meanings.saturating_sub(1)))
}

/// The coordinate whose square is so many thousandths of a squared weight, with the sign of the share.
fn amplitude(square: u64, share: i32) -> i32 {
    let size = (square * u64::from(share.unsigned_abs()) / 1000).isqrt();
    i32::try_from(size).unwrap_or(i32::MAX) * share.signum()
}
