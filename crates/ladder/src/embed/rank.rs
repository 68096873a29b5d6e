//! A vocabulary ranked for a name. Build it once per contract; a name then costs one embedding and one pass.

use deed_diag::Invariant as _;
use std::cmp::Reverse;

use super::{Embedder, Names, Similarity, Vector};

/// A clause of a description says less surely what a field is than its name: so many thousandths are kept.
const DESCRIBED: u16 = 960;

/// Clauses of a description that are read.
const CLAUSES: usize = 4;

/// A canonical field with the words that say what it is in this domain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The canonical name.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// What it is, in a sentence; empty where it is not stated.
    pub description: String,
}

impl Entry {
    /// A field of which only the name is known.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds another name for it.
    #[must_use]
    pub fn alias(mut self, alias: impl Into<String>) -> Self {
        self.aliases.push(alias.into());
        self
    }

    /// Says what it is.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The clauses of its description.
    fn clauses(&self) -> impl Iterator<Item = &str> {
        let cut = |c: char| matches!(c, ',' | ';' | ':' | '.' | '(' | ')' | '\n');
        self.description.split(cut).map(str::trim).filter(|clause| !clause.is_empty()).take(CLAUSES)
    }
}

/// When a rename is made: how close the best must be, and how far behind the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// At least so close.
    pub threshold: Similarity,
    /// And the next at least so much further away.
    pub margin: Similarity,
}

impl Default for Limits {
    /// Chosen for [`Names`] on the tuning part of `tests/it/embed`; another embedder needs its own.
    fn default() -> Self {
        Self { threshold: Similarity::new(800), margin: Similarity::new(60) }
    }
}

/// An entry of the vocabulary and how close it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// Its place in the vocabulary.
    pub index: usize,
    /// How close.
    pub similarity: Similarity,
}

/// What to do with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// One entry is close and no other near it.
    Rename(Match),
    /// Two entries are close and too near each other.
    Tie(Match, Match),
    /// None is close enough; the nearest, if anything is like it at all.
    Unknown(Option<Match>),
}

/// A vocabulary prepared for ranking.
#[derive(Debug, Clone)]
pub struct Ranked<E> {
    embedder: E,
    entries: Vec<Vec<Sight>>,
}

/// One way to look at an entry, and how much of a likeness to it is kept.
#[derive(Debug, Clone)]
struct Sight {
    text: String,
    vector: Vector,
    kept: u16,
}

impl Ranked<Names> {
    /// Prepares a vocabulary for the default embedder, which learns its words. The subject is what the record is
    /// about, such as the name of its type; it may be empty.
    pub fn names(subject: &str, entries: &[Entry]) -> Self {
        let texts = |entry: &'_ Entry| -> Vec<String> {
            let named = std::iter::once(&entry.name).chain(&entry.aliases).cloned();
            named.chain(entry.clauses().map(str::to_owned)).collect()
        };
        let texts: Vec<String> = entries.iter().flat_map(texts).collect();
        Self::new(Names::new().knowing(texts.iter().map(String::as_str)).about(subject), entries)
    }
}

impl<E: Embedder> Ranked<E> {
    /// Prepares a vocabulary.
    pub fn new(embedder: E, entries: &[Entry]) -> Self {
        let sight = |text: &str, kept: u16| Sight { text: text.to_owned(), vector: embedder.embed(text), kept };
        let sights = |entry: &Entry| {
            let named = std::iter::once(&entry.name).chain(&entry.aliases).map(|name| sight(name, 1000));
            named.chain(entry.clauses().map(|clause| sight(clause, DESCRIBED))).collect()
        };
        let entries = entries.iter().map(sights).collect();
        Self { embedder, entries }
    }

    /// The embedder, for the report.
    pub fn embedder(&self) -> &E {
        &self.embedder
    }

    /// Every entry with its similarity, the closest first, ties in the order of the vocabulary.
    pub fn rank(&self, name: &str) -> Vec<(usize, Similarity)> {
        let vector = self.embedder.embed(name);
        let mut ranked: Vec<(usize, Similarity)> =
            self.entries.iter().map(|sights| closest(&vector, sights)).enumerate().collect();
        ranked.sort_by_key(|(_, similarity)| Reverse(*similarity));
        ranked
    }

    /// The rename to make, or why there is none.
    pub fn choose(&self, name: &str, limits: Limits) -> Choice {
        let ranked = self.rank(name);
        let mut matches = ranked.iter().map(|(index, similarity)| Match { index: *index, similarity: *similarity });
        let (best, second) = (matches.next().filter(|best| best.similarity > Similarity::NONE), matches.next());
        let Some(best) = best.filter(|best| best.similarity >= limits.threshold) else { return Choice::Unknown(best) };
        let lead = |second: &Match| best.similarity.thousandths().saturating_sub(second.similarity.thousandths());
        match second.filter(|second| lead(second) < limits.margin.thousandths()) {
            Some(second) => Choice::Tie(best, second),
            None if self.tells_apart(name, best, limits) => Choice::Unknown(Some(best)),
            None => match self.rival(name, best, &ranked) {
                Some(rival) => Choice::Tie(best, rival),
                None => Choice::Rename(best),
            },
        }
    }
}

impl<E: Embedder> Ranked<E> {
    /// Another entry that a name says as much of as of the one that was found.
    fn rival(&self, name: &str, best: Match, ranked: &[(usize, Similarity)]) -> Option<Match> {
        let named = |index: usize| self.entries.get(index)?.first().map(|sight| sight.text.as_str());
        let chosen = named(best.index)?;
        let is_rival = |(index, _): &&(usize, Similarity)| {
            *index != best.index && named(*index).is_some_and(|other| self.embedder.leaves_open(name, chosen, other))
        };
        ranked.iter().find(is_rival).map(|(index, similarity)| Match { index: *index, similarity: *similarity })
    }

    /// Whether a word tells a name apart from every text that brought it near to an entry.
    fn tells_apart(&self, name: &str, best: Match, limits: Limits) -> bool {
        let vector = self.embedder.embed(name);
        let sights = self.entries.get(best.index).invariant("a match is one of the entries");
        let mut near = sights.iter().filter(|sight| seen(&vector, sight) >= limits.threshold);
        !near.any(|sight| !self.embedder.tells_apart(name, &sight.text))
    }
}

fn seen(vector: &Vector, sight: &Sight) -> Similarity {
    vector.similarity(&sight.vector).scaled(sight.kept)
}

fn closest(vector: &Vector, sights: &[Sight]) -> Similarity {
    let seen = |sight: &Sight| seen(vector, sight);
    if vector.is_zero() { Similarity::NONE } else { sights.iter().map(seen).max().unwrap_or(Similarity::NONE) }
}
