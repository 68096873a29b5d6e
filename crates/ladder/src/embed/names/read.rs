//! The words of a name, read: what each means, and what they mean together.

use std::collections::BTreeSet;

use super::Names;
use crate::embed::lexicon::{Concept, Place, Reading, concept, literal};
use crate::embed::spelling::{american, singular};

/// How much of a word is believed to be the concept it was traced back to, in thousandths.
pub(super) const LISTED: u64 = 1000;
const TRACED: u64 = 900;

/// Longer words are not traced back to others.
const TRACEABLE: usize = 32;

/// A word of a name, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// What it may mean, one of them, the likeliest first.
    pub(super) meanings: Vec<Concept>,
    /// What phrases know it as, where its own meaning is not settled.
    pub(super) literal: Option<Concept>,
    /// What the letters are, where the meaning does not come from the table.
    pub(super) letters: Option<String>,
    /// How far the meaning is believed, in thousandths.
    pub(super) trust: u64,
    pub(super) is_plural: bool,
    pub(super) is_number: bool,
    /// It says of whose something is in passing, as `of the portfolio` does in a description.
    pub(super) is_aside: bool,
}

impl Names {
    pub(super) fn read(&self, spelled: &[String]) -> Vec<Word> {
        let last = spelled.len().saturating_sub(1);
        let place = |at: usize| match (at, last) {
            (0, 0) => Place::Alone,
            (at, last) if at == last => Place::Last,
            _ => Place::Inside,
        };
        spelled.iter().enumerate().flat_map(|(at, word)| self.read_word(word, place(at))).collect()
    }

    fn read_word(&self, word: &str, place: Place) -> Vec<Word> {
        if word.chars().all(char::is_numeric) {
            return vec![Word { is_number: true, ..Word::meaning(literal(word)) }];
        }
        let known = self.listed(word, place).or_else(|| self.expanded(word));
        // Abbreviations have fewer letters, and tracing them takes long.
        let guessed = || self.glued(word, place).or_else(|| self.traced(word));
        let guessed = || (word.len() <= TRACEABLE).then(guessed).flatten();
        known.or_else(guessed).unwrap_or_else(|| vec![Word::unknown(word)])
    }

    /// The first letters of a name of the vocabulary.
    fn expanded(&self, word: &str) -> Option<Vec<Word>> {
        self.initials.get(word)?.as_ref().map(|meant| meant.iter().copied().map(Word::traced).collect())
    }

    /// A word of the table or of the vocabulary, as it is, in the singular or in the American spelling.
    pub(super) fn listed(&self, word: &str, place: Place) -> Option<Vec<Word>> {
        let exact = |word: &str| match self.lexicon.reading(word, place) {
            Some(Reading::All(concepts)) => Some(concepts.iter().map(|c| Word::meaning(*c)).collect()),
            Some(Reading::Either(meanings)) => Some(vec![Word::either(meanings, word)]),
            None => self.known.contains(word).then(|| vec![Word::meaning(concept(word))]),
        };
        let plural = |word: &str| -> Option<Vec<Word>> {
            let mut words: Vec<Word> = singular(word).iter().find_map(|word| exact(word))?;
            words.iter_mut().for_each(|word| word.is_plural = true);
            Some(words)
        };
        let plural_of_listed = exact(word).map(|words| match plural(word) {
            Some(plural) if plural.iter().map(|w| &w.meanings).eq(words.iter().map(|w| &w.meanings)) => plural,
            _ => words,
        });
        plural_of_listed.or_else(|| plural(word)).or_else(|| american(word).and_then(|word| exact(&word)))
    }

    /// Two words written together, the second of which names a kind of value: `customerid`, `orderdate`.
    fn glued(&self, word: &str, place: Place) -> Option<Vec<Word>> {
        let end = if place == Place::Alone { Place::Last } else { place };
        let is_kind = |word: &str| self.lexicon.facts(concept(word)).is_some_and(|facts| facts.is_head);
        let join = |(left, right): (&str, &str)| {
            let is_tail = matches!(right, "id" | "no" | "dt" | "cd" | "nm" | "num" | "qty" | "amt");
            let enough = if is_tail { 4 } else { 3 };
            let ends = is_tail || (right.len() >= 4 && is_kind(right));
            let left = (ends && left.len() >= enough).then(|| self.listed(left, Place::Inside))?;
            Some([left?, self.listed(right, end)?].concat())
        };
        let cuts = word.char_indices().map(|(at, _)| at);
        let mut words = cuts.filter_map(|at| word.split_at_checked(at)).find_map(join)?;
        words.iter_mut().for_each(|word| word.trust = TRACED);
        Some(words)
    }

    /// The one concept that an unknown word is a misspelling or an abbreviation of; none where there are two.
    fn traced(&self, word: &str) -> Option<Vec<Word>> {
        let (own, table) = (&self.spelling, self.lexicon.spelling());
        let mistyped = || distinct(own.mistyped(word).chain(table.mistyped(word)));
        let skeleton = || distinct(own.without_vowels(word).chain(table.without_vowels(word)));
        // Four letters begin too many words, unless the vocabulary has one of them.
        let known = |concept: &Concept| word.len() > 4 || self.vocabulary.contains(concept);
        let cut = || distinct(own.cut(word).chain(table.cut(word).filter(known)));
        let ways: [&dyn Fn() -> Vec<Concept>; 3] = [&mistyped, &skeleton, &cut];
        let found = ways.iter().map(|way| way()).find(|found| !found.is_empty())?;
        let concept = self.likeliest(&found)?;
        Some(vec![Word { letters: Some(word.to_owned()), ..Word::traced(concept) }])
    }

    /// The only candidate, or the only one that the record or its vocabulary is about.
    fn likeliest(&self, candidates: &[Concept]) -> Option<Concept> {
        let only = |among: &dyn Fn(&Concept) -> bool| {
            let mut left = candidates.iter().copied().filter(|concept| among(concept));
            left.next().filter(|_| left.next().is_none())
        };
        let subject = || only(&|concept| self.subject.contains(concept));
        only(&|_| true).or_else(subject).or_else(|| only(&|concept| self.vocabulary.contains(concept)))
    }

    /// Settles what the words mean together: phrases, what the vocabulary leaves of ambiguous words, word order.
    pub(super) fn meant(&self, words: Vec<Word>) -> Vec<Word> {
        let settled = |word: Word| match self.likeliest(&word.meanings) {
            Some(concept) if word.meanings.len() > 1 => Word::traced(concept),
            _ => word,
        };
        let words = self.phrases(words).into_iter().map(settled).collect();
        self.phrases(in_order(words))
    }

    /// Replaces phrases by what they mean, longest first.
    pub(super) fn phrases(&self, words: Vec<Word>) -> Vec<Word> {
        let mut meant = Vec::with_capacity(words.len());
        let mut rest = words.as_slice();
        while let Some((word, after)) = rest.split_first() {
            let concepts: Vec<Concept> = rest.iter().map_while(|word| word.literal.or_else(|| word.sole())).collect();
            match self.lexicon.phrase(&concepts) {
                Some((replaced, taken)) => {
                    let (phrase, after) = rest.split_at_checked(taken).unwrap_or((rest, &[]));
                    let trust = phrase.iter().map(|word| word.trust).min().unwrap_or(LISTED);
                    meant.extend(replaced.iter().map(|concept| Word { trust, ..Word::meaning(*concept) }));
                    rest = after;
                }
                None => {
                    meant.push(word.clone());
                    rest = after;
                }
            }
        }
        meant
    }

    /// Drops the words that say nothing here, unless there are no others, and those that repeat.
    pub(super) fn without_noise(&self, words: Vec<Word>) -> Vec<Word> {
        let is = |word: &Word, name: &str| word.sole() == Some(concept(name));
        let states = words.iter().any(|word| self.any(word, |facts| facts.is_state));
        let measures = words.iter().any(|word| self.any(word, |facts| facts.is_measure));
        let addressed = words.iter().any(|word| is(word, "address"));
        let noise = |word: &&Word| {
            word.sole().is_some_and(|concept| self.is_weak(concept))
                || (states && is(word, "flag"))
                || (measures && is(word, "value"))
                || (addressed && is(word, "line"))
        };
        let kept: Vec<Word> = words.iter().filter(|word| !noise(word)).cloned().collect();
        let mut kept = if kept.is_empty() { words } else { counted(kept) };
        let mut seen = BTreeSet::new();
        kept.retain(|word| seen.insert(word.meanings.clone()));
        kept
    }
}

impl Word {
    fn meaning(concept: Concept) -> Self {
        Self {
            meanings: vec![concept],
            literal: None,
            letters: None,
            trust: LISTED,
            is_plural: false,
            is_number: false,
            is_aside: false,
        }
    }

    fn traced(concept: Concept) -> Self {
        Self { trust: TRACED, ..Self::meaning(concept) }
    }

    /// A word that stands for itself.
    fn unknown(word: &str) -> Self {
        let stem = singular(word).into_iter().last().unwrap_or_else(|| word.to_owned());
        let (meaning, is_plural) = (Self::meaning(concept(&stem)), stem != word);
        Self { letters: Some(stem), is_plural, ..meaning }
    }

    fn either(meanings: &[Concept], word: &str) -> Self {
        Self { meanings: meanings.to_vec(), literal: Some(literal(word)), ..Self::meaning(0) }
    }

    /// What it means, if that is not in doubt.
    pub(super) fn sole(&self) -> Option<Concept> {
        self.meanings.first().copied().filter(|_| self.meanings.len() == 1)
    }

    /// Nothing but its letters is known.
    pub(super) fn is_unknown(&self) -> bool {
        self.letters.is_some() && self.trust == LISTED
    }
}

fn distinct(candidates: impl Iterator<Item = Concept>) -> Vec<Concept> {
    let mut found: Vec<Concept> = candidates.collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// `date of birth` is `birth date`, `price per unit` is `unit price`.
fn in_order(words: Vec<Word>) -> Vec<Word> {
    let links = [concept("of"), concept("for"), concept("per")];
    let is_link = |word: &Word| word.sole().is_some_and(|concept| links.contains(&concept));
    let articles = [concept("the"), concept("a"), concept("an"), concept("this")];
    let is_article = |word: &Word| word.sole().is_some_and(|concept| articles.contains(&concept));
    match words.iter().position(is_link) {
        Some(at) if at > 0 && at + 1 < words.len() => {
            let (before, after) = words.split_at_checked(at).unwrap_or((&words, &[]));
            let mut after = in_order(after.iter().skip(1).cloned().collect());
            let in_passing = after.first().is_some_and(is_article);
            after.iter_mut().for_each(|word| word.is_aside |= in_passing);
            after.into_iter().chain(before.iter().cloned()).collect()
        }
        _ => words,
    }
}

/// `num_items` counts items.
fn counted(mut words: Vec<Word>) -> Vec<Word> {
    let counts = words.len() > 1
        && words.first().is_some_and(|word| word.sole() == Some(concept("number")))
        && words.last().is_some_and(|word| word.is_plural);
    if counts {
        words.remove(0);
        words.push(Word::meaning(concept("count")));
    }
    words
}
