//! Qualifying words: a word that only one of two names has, and that gives it another meaning.
//!
//! Near vectors are not enough for a rename. `per_page` is near to `page`, and `grandTotal` to `itemsTotal`; in each pair
//! a word is left over on one side or on both. Such a word may be ignored only if it says nothing (`field`, `data`) or
//! repeats what the record is called, and then on one side alone: in a record about requests to clusters `requestId`
//! and `clusterId` are two things.

use super::read::Word;
use super::{Names, base};
use crate::embed::lexicon::Concept;
use crate::embed::split::words;

/// From this part of a shared direction on, in thousandths, two concepts count as one word in two names.
const RELATED: i32 = 300;

/// A word of a name as it is written, with what it means.
struct Telling {
    word: Word,
    /// It repeats what the record is called.
    is_subject: bool,
}

impl Names {
    /// Whether a word that one of two names has alone tells them apart.
    pub(super) fn qualifies(&self, name: &str, other: &str) -> bool {
        let (name, other) = (self.telling(name), self.telling(other));
        let (here, there) = (self.left(&name, &other), self.left(&other, &name));
        here.1 > 0 || there.1 > 0 || (here.0 > 0 && there.0 > 0)
    }

    /// Whether two names each have a word that the other has not: `shipping` and `billing` are two things, `order` and
    /// `order data` may be one.
    pub(crate) fn are_two(&self, name: &str, other: &str) -> bool {
        let spelled = |text: &str| words(text).iter().map(|word| base(word)).collect::<Vec<String>>();
        let (one, two) = (spelled(name), spelled(other));
        // A name that repeats the other and adds to it may be a longer one for the same.
        if one.iter().all(|word| two.contains(word)) || two.iter().all(|word| one.contains(word)) {
            return false;
        }
        let (name, other) = (self.telling(name), self.telling(other));
        let (here, there) = (self.left(&name, &other), self.left(&other, &name));
        here.0 + here.1 > 0 && there.0 + there.1 > 0
    }

    /// Whether a word of one name means the same as a word of another, or nearly.
    pub(crate) fn share_meaning(&self, name: &str, other: &str) -> bool {
        let (name, other) = (self.telling(name), self.telling(other));
        name.iter().any(|one| other.iter().any(|two| self.is_same(&one.word, &two.word)))
    }

    /// Whether a name is a measure alone, and both of two longer names are that measure of something.
    pub(super) fn is_bare_measure_of(&self, name: &str, chosen: &str, other: &str) -> bool {
        let name = self.telling(name);
        let is_measure = |telling: &Telling| self.any(&telling.word, |facts| facts.is_measure);
        let is_longer = |text: &str| {
            let words = self.telling(text);
            words.len() > name.len()
                && name.iter().all(|one| words.iter().any(|two| one.word.meanings == two.word.meanings))
        };
        !name.is_empty() && name.iter().all(is_measure) && is_longer(chosen) && is_longer(other)
    }

    /// Whether a word of one name is the opposite of a word of another.
    pub(crate) fn are_opposite(&self, name: &str, other: &str) -> bool {
        let meanings = |text: &str| -> Vec<Concept> {
            words(text)
                .iter()
                .flat_map(|word| self.read(std::slice::from_ref(word)))
                .flat_map(|word| word.meanings)
                .collect()
        };
        let (name, other) = (meanings(name), meanings(other));
        let apart = |one: &[Concept], two: &[Concept]| -> Vec<Concept> {
            one.iter().filter(|concept| !two.contains(concept)).copied().collect()
        };
        let (here, there) = (apart(&name, &other), apart(&other, &name));
        here.iter().any(|a| there.iter().any(|b| self.are_opposed(*a, *b)))
    }

    fn are_opposed(&self, a: Concept, b: Concept) -> bool {
        let (Some(a), Some(b)) = (self.lexicon.facts(a), self.lexicon.facts(b)) else { return false };
        a.shared.iter().any(|(axis, share)| {
            b.shared.iter().any(|(other, theirs)| other == axis && share.signum() != theirs.signum())
        })
    }

    /// How many words of one name have no like among those of another: the record's own name, and others.
    fn left(&self, of: &[Telling], among: &[Telling]) -> (usize, usize) {
        let alone = of.iter().filter(|one| !among.iter().any(|two| self.is_same(&one.word, &two.word)));
        let (subject, other): (Vec<&Telling>, Vec<&Telling>) = alone.partition(|word| word.is_subject);
        (subject.len(), other.len())
    }

    /// The words of a name that say something, each marked where it repeats the record's own name.
    fn telling(&self, text: &str) -> Vec<Telling> {
        let spelled = words(text);
        let kept = self.without_noise(self.meant(self.read(&spelled)));
        let names: Vec<Concept> = spelled
            .iter()
            .filter(|word| self.subject_words.contains(&base(word)))
            .flat_map(|word| self.read(std::slice::from_ref(word)))
            .flat_map(|word| word.meanings)
            .collect();
        let subject = |word: &Word| word.is_aside || word.meanings.iter().any(|concept| names.contains(concept));
        kept.into_iter().map(|word| Telling { is_subject: subject(&word), word }).collect()
    }

    /// Whether two words mean the same, or nearly.
    fn is_same(&self, one: &Word, two: &Word) -> bool {
        let pairs = one.meanings.iter().flat_map(|a| two.meanings.iter().map(move |b| (*a, *b)));
        pairs.into_iter().any(|(a, b)| a == b || self.family(a) == self.family(b) || self.are_related(a, b))
    }

    fn are_related(&self, a: Concept, b: Concept) -> bool {
        let (Some(a), Some(b)) = (self.lexicon.facts(a), self.lexicon.facts(b)) else { return false };
        let near = |(axis, share): &(u64, i32)| {
            *share >= RELATED && b.shared.iter().any(|(other, theirs)| other == axis && *theirs >= RELATED)
        };
        let opposed = |(axis, share): &(u64, i32)| {
            b.shared.iter().any(|(other, theirs)| other == axis && share.signum() != theirs.signum())
        };
        a.shared.iter().any(near) && !a.shared.iter().any(opposed)
    }
}
