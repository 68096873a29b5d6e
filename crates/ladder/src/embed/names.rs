//! The default embedder: a name becomes its concepts, the head of the name weighing most.
//!
//! Abbreviations and synonyms are read from a table; words that are not in it are traced back to those that are, or
//! stand for themselves. Relatives share a direction, opposites point the other way along one, so that the cosine does
//! the judging. Two more directions keep it strict: one for the exact set of concepts, one for the exact spelling.

mod qualify;
mod read;
mod weigh;

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{Class, Concept, Facts, Lexicon, Place, concept};
use super::spelling::{Spelling, singular};
use super::split::words;
use super::{Embedder, Vector};
use read::Word;

/// Reads field names with the words, abbreviations and units that field names are made of.
#[derive(Debug, Clone)]
pub struct Names {
    lexicon: &'static Lexicon,
    /// Concepts of the record itself: `order_status` of an order is its `status`.
    subject: BTreeSet<Concept>,
    /// The words that the record is called by, in the singular.
    subject_words: BTreeSet<String>,
    /// Concepts of the vocabulary: they settle what an ambiguous word means.
    vocabulary: BTreeSet<Concept>,
    /// Words of the vocabulary that the table does not have.
    known: BTreeSet<String>,
    spelling: Spelling,
    /// First letters of the vocabulary's longer names; none where two names have the same.
    initials: BTreeMap<String, Option<Vec<Concept>>>,
}

impl Embedder for Names {
    fn id(&self) -> &str {
        "names-1"
    }

    fn embed(&self, text: &str) -> Vector {
        let spelled = words(text);
        let kept = self.without_noise(self.meant(self.read(&spelled)));
        let mut features = self.weighted(&kept);
        self.sharpen(&mut features, &kept, &spelled, text);
        Vector::sparse(features)
    }

    fn tells_apart(&self, name: &str, other: &str) -> bool {
        self.qualifies(name, other)
    }

    fn leaves_open(&self, name: &str, chosen: &str, other: &str) -> bool {
        self.is_bare_measure_of(name, chosen, other)
    }
}

impl Default for Names {
    fn default() -> Self {
        Self::new()
    }
}

impl Names {
    /// Knows the table that is compiled in, and nothing about a domain.
    pub fn new() -> Self {
        Self {
            lexicon: Lexicon::standard(),
            subject: BTreeSet::new(),
            subject_words: BTreeSet::new(),
            vocabulary: BTreeSet::new(),
            known: BTreeSet::new(),
            spelling: Spelling::default(),
            initials: BTreeMap::new(),
        }
    }

    /// Says what the record is about: those words add little to a name, `order_status` of an `order` is its `status`.
    #[must_use]
    pub fn about(mut self, subject: &str) -> Self {
        self.subject_words.extend(words(subject).into_iter().map(|word| base(&word)));
        let words = self.phrases(self.read(&words(subject)));
        self.subject.extend(words.into_iter().filter(|word| !word.is_number).flat_map(|word| word.meanings));
        self
    }

    /// Learns the words of a vocabulary: their abbreviations and typing errors are then recognised too.
    #[must_use]
    pub fn knowing<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts: Vec<Vec<String>> = texts.into_iter().map(words).collect();
        for word in texts.iter().flatten() {
            if word.len() >= 4 && self.listed(word, Place::Inside).is_none() {
                self.known.insert(word.clone());
            }
        }
        for words in &texts {
            self.learn_initials(words);
            self.vocabulary.extend(self.meant(self.read(words)).iter().filter_map(Word::sole));
        }
        self.spelling = Spelling::new(self.known.iter().map(|word| (word.clone(), concept(word))));
        self
    }

    /// Names of three words and more are called by their first letters, with or without the weak ones.
    fn learn_initials(&mut self, words: &[String]) {
        let meant: Vec<Concept> = self.meant(self.read(words)).iter().filter_map(Word::sole).collect();
        let strong = words.iter().filter(|word| !self.is_weak(concept(word)));
        let mut letters = [initials(words.iter()), initials(strong)].to_vec();
        letters.dedup();
        for letters in letters.into_iter().filter(|letters| (3..=5).contains(&letters.len())) {
            let same = |known: &mut Option<Vec<Concept>>| *known = known.take().filter(|known| *known == meant);
            self.initials.entry(letters).and_modify(same).or_insert_with(|| Some(meant.clone()));
        }
    }

    fn is_weak(&self, concept: Concept) -> bool {
        self.lexicon.facts(concept).is_some_and(|facts| facts.class == Class::Weak)
    }

    /// Whether a word only repeats what the record is about.
    fn is_subject(&self, word: &Word) -> bool {
        let in_passing = word.is_aside && self.class(word) == Class::Entity;
        in_passing || word.sole().is_some_and(|concept| self.subject.contains(&concept))
    }

    fn any(&self, word: &Word, holds: impl Fn(&Facts) -> bool) -> bool {
        word.meanings.iter().filter_map(|meaning| self.lexicon.facts(*meaning)).any(holds)
    }

    fn class(&self, word: &Word) -> Class {
        word.meanings
            .iter()
            .map(|c| self.lexicon.facts(*c).map_or(Class::Plain, |facts| facts.class))
            .max()
            .unwrap_or_default()
    }
}

/// A word in the singular.
fn base(word: &str) -> String {
    singular(word).into_iter().last().unwrap_or_else(|| word.to_owned())
}

fn initials<'w>(words: impl Iterator<Item = &'w String>) -> String {
    words.filter_map(|word| word.chars().next()).filter(|c| c.is_alphabetic()).collect()
}
