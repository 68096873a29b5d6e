//! The table of words: what enters is `lexicon.txt`, what leaves is the reading of each word as concepts, and for each
//! concept how it lies to others. A broken line would silently lose a fact, so a test reads every one.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{feature, spelling::Spelling, split::words};

/// How much of a concept lies on the axes of its opposites, in thousandths of its squared weight.
const OPPOSED: u32 = 450;

/// Relatives this close count as one where sets of concepts are compared.
const FAMILY: u32 = 700;

/// What a concept keeps to itself at least.
const OWN: u32 = 80;

/// Forms this long are words, not abbreviations.
const WHOLE: usize = 7;

/// More words than a phrase of the table has.
const PHRASE: usize = 5;

/// A concept: the hash of its canonical word.
pub(super) type Concept = u64;

/// What kind of word a concept is; it decides how much the word weighs beside the head of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Class {
    /// Says nothing.
    Weak,
    /// Says whose the field is.
    Entity,
    /// Says in what it is measured.
    Unit,
    /// Tells fields apart.
    #[default]
    Plain,
    /// Has an opposite.
    Polar,
}

/// What the table says about a concept.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) class: Class,
    /// Names a kind of value, so it is the head wherever it stands.
    pub(super) is_head: bool,
    /// `value` adds nothing to it.
    pub(super) is_measure: bool,
    /// `is` and `flag` add nothing to it.
    pub(super) is_state: bool,
    /// Shared directions, each with its part of the squared weight in thousandths; negative on the far side.
    pub(super) shared: Vec<(u64, i32)>,
    /// Close relatives have the same one.
    pub(super) family: Option<u64>,
}

/// What a word may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    /// These concepts, one after the other.
    All(Vec<Concept>),
    /// One of these concepts.
    Either(Vec<Concept>),
}

/// The parsed table.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    words: BTreeMap<String, Reading>,
    /// Readings that hold for the last word of a name.
    last: BTreeMap<String, Reading>,
    phrases: BTreeMap<Vec<Concept>, Vec<Concept>>,
    facts: BTreeMap<Concept, Facts>,
    spelling: Spelling,
}

/// Where a word stands in its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Inside,
    Last,
    Alone,
}

impl Lexicon {
    /// The table that is compiled in.
    pub(super) fn standard() -> &'static Self {
        static STANDARD: OnceLock<Lexicon> = OnceLock::new();
        STANDARD.get_or_init(|| Self::parse(include_str!("lexicon.txt")))
    }

    /// What a listed word means where it stands.
    pub(super) fn reading(&self, word: &str, place: Place) -> Option<&Reading> {
        let placed = match place {
            Place::Last => self.last.get(word),
            Place::Alone => self.last.get(word).filter(|_| !self.is_weak(word)),
            Place::Inside => None,
        };
        placed.or_else(|| self.words.get(word))
    }

    /// The longest phrase that begins a sequence of concepts: what it means and how many it takes.
    pub(super) fn phrase(&self, concepts: &[Concept]) -> Option<(&[Concept], usize)> {
        let lengths = (2..=PHRASE.min(concepts.len())).rev();
        lengths.filter_map(|n| self.phrases.get(concepts.get(..n)?).map(|meant| (meant.as_slice(), n))).next()
    }

    /// What the table says about a concept; nothing about one it does not know.
    pub(super) fn facts(&self, concept: Concept) -> Option<&Facts> {
        self.facts.get(&concept)
    }

    /// The words that unknown ones are traced back to.
    pub(super) fn spelling(&self) -> &Spelling {
        &self.spelling
    }

    fn is_weak(&self, word: &str) -> bool {
        self.facts(concept(word)).is_some_and(|facts| facts.class == Class::Weak)
    }

    fn parse(text: &str) -> Self {
        let mut lexicon = Self::default();
        let table = Table::new(text);
        lexicon.read_words(&table);
        lexicon.read_phrases(&table);
        lexicon.read_classes(&table);
        lexicon.read_relations(&table);
        lexicon.spelling = Spelling::new(lexicon.correctable());
        lexicon
    }

    /// Single words first: phrases are stored in the concepts of their words.
    fn read_words(&mut self, table: &Table<'_>) {
        for (word, meanings) in table.pairs("ambiguous") {
            let either = meanings.iter().map(|meaning| concept(meaning)).collect();
            self.words.entry(word.to_owned()).or_insert(Reading::Either(either));
            meanings.iter().for_each(|meaning| self.stands_for_itself(meaning));
        }
        for section in ["entities", "heads", "measures", "states", "weak", "words"] {
            table.words(section).for_each(|word| self.stands_for_itself(word));
        }
        for section in ["forms", "units"] {
            for (meaning, forms) in table.pairs(section).filter(|(meaning, _)| !meaning.contains(' ')) {
                let reading = Reading::All(vec![concept(meaning)]);
                for form in forms.iter().chain(&[meaning]).filter(|form| words(form).len() == 1) {
                    self.add(form, &reading);
                }
            }
        }
        for (_, members) in table.pairs("related") {
            members.iter().for_each(|word| self.stands_for_itself(word));
        }
        for word in table.opposites().into_iter().flatten().flatten() {
            self.stands_for_itself(word);
        }
    }

    fn stands_for_itself(&mut self, word: &str) {
        self.words.entry(word.to_owned()).or_insert_with(|| Reading::All(vec![concept(word)]));
    }

    fn add(&mut self, form: &str, reading: &Reading) {
        let (readings, form) = match form.strip_suffix('$') {
            Some(form) => (&mut self.last, form),
            None => (&mut self.words, form),
        };
        let is_own =
            |old: &Reading| matches!((old, reading), (Reading::All(old), Reading::All(_)) if *old == [concept(form)]);
        let entry = readings.entry(form.to_owned()).or_insert_with(|| reading.clone());
        if is_own(entry) {
            *entry = reading.clone();
        }
    }

    fn read_phrases(&mut self, table: &Table<'_>) {
        let pairs = || ["forms", "units"].into_iter().flat_map(|section| table.pairs(section));
        for (meaning, forms) in pairs().filter(|(meaning, _)| meaning.contains(' ')) {
            let reading = Reading::All(self.concepts(meaning));
            forms.iter().filter(|form| words(form).len() == 1).for_each(|form| self.add(form, &reading));
        }
        for (meaning, forms) in pairs() {
            let meant = self.concepts(meaning);
            for form in forms.iter().filter(|form| words(form).len() > 1) {
                let form = self.concepts(form);
                if form != meant && form.len() > 1 {
                    self.phrases.entry(form).or_insert_with(|| meant.clone());
                }
            }
        }
    }

    /// The concepts of a phrase of the table, word by word; an ambiguous word counts as what it is written as.
    fn concepts(&self, phrase: &str) -> Vec<Concept> {
        let words = words(phrase);
        let last = words.len().saturating_sub(1);
        let place = |at: usize| if at == last { Place::Last } else { Place::Inside };
        let read = |(at, word): (usize, &String)| match self.reading(word, place(at)) {
            Some(Reading::All(concepts)) => concepts.clone(),
            Some(Reading::Either(_)) | None => vec![literal(word)],
        };
        words.iter().enumerate().flat_map(read).collect()
    }

    fn read_classes(&mut self, table: &Table<'_>) {
        for (unit, _) in table.pairs("units") {
            self.facts_of(unit).class = Class::Unit;
        }
        let weak = table.words("weak").map(|word| (word, Class::Weak));
        for (word, class) in table.words("entities").map(|word| (word, Class::Entity)).chain(weak) {
            self.facts_of(word).class = class;
        }
        table.words("heads").for_each(|word| self.facts_of(word).is_head = true);
        table.words("measures").for_each(|word| self.facts_of(word).is_measure = true);
        table.words("states").for_each(|word| self.facts_of(word).is_state = true);
    }

    fn read_relations(&mut self, table: &Table<'_>) {
        let mut shared: BTreeMap<Concept, Vec<(u64, i32, u32)>> = BTreeMap::new();
        for (at, sides) in table.opposites().iter().enumerate() {
            let axes = u32::try_from(sides.len().saturating_sub(1)).unwrap_or(1).max(1);
            for (mine, side) in sides.iter().enumerate() {
                for word in side {
                    self.mark_polar(word);
                    for theirs in (0..sides.len()).filter(|theirs| *theirs != mine) {
                        let axis = feature("axis", &format!("{at} {} {}", mine.min(theirs), mine.max(theirs)));
                        let sign = if mine < theirs { 1 } else { -1 };
                        shared.entry(concept(word)).or_default().push((axis, sign, OPPOSED / axes));
                    }
                }
            }
        }
        let opposed: BTreeMap<Concept, u32> =
            shared.iter().map(|(c, parts)| (*c, parts.iter().map(|p| p.2).sum())).collect();
        for (concept, parts) in &mut shared {
            let total = opposed.get(concept).copied().unwrap_or(OPPOSED).max(OPPOSED);
            parts.iter_mut().for_each(|part| part.2 = part.2 * OPPOSED / total);
        }
        for (at, (strength, members)) in table.pairs("related").enumerate() {
            let strength = strength.parse().unwrap_or(0);
            let axis = feature("related", &at.to_string());
            for member in members {
                shared.entry(concept(member)).or_default().push((axis, 1, strength));
                if strength >= FAMILY {
                    let family = self.family_of(concept(member));
                    self.join(family, axis);
                    self.facts_of(member).family = Some(axis);
                }
            }
        }
        for (concept, parts) in shared {
            let total: u32 = parts.iter().map(|(_, _, part)| part).sum::<u32>().max(1000 - OWN);
            let scaled = |(axis, sign, part): (u64, i32, u32)| {
                (axis, sign * i32::try_from(part * (1000 - OWN) / total).unwrap_or(0))
            };
            self.facts.entry(concept).or_default().shared = parts.into_iter().map(scaled).collect();
        }
    }

    fn family_of(&self, concept: Concept) -> Option<u64> {
        self.facts.get(&concept).and_then(|facts| facts.family)
    }

    /// Whoever is in the old family is in the new one.
    fn join(&mut self, old: Option<u64>, new: u64) {
        if let Some(old) = old {
            self.facts
                .values_mut()
                .filter(|facts| facts.family == Some(old))
                .for_each(|facts| facts.family = Some(new));
        }
    }

    fn mark_polar(&mut self, word: &str) {
        let facts = self.facts_of(word);
        if facts.class == Class::Plain {
            facts.class = Class::Polar;
        }
    }

    fn facts_of(&mut self, word: &str) -> &mut Facts {
        self.facts.entry(concept(word)).or_default()
    }

    /// Words that mean one thing, without abbreviations: those are too short to be mistyped recognisably.
    fn correctable(&self) -> Vec<(String, Concept)> {
        let whole = |word: &str, meant: Concept| meant == concept(word) || word.len() >= WHOLE;
        let one = |(word, reading): (&String, &Reading)| match reading {
            Reading::All(all) => all.first().filter(|c| all.len() == 1 && whole(word, **c)).map(|c| (word.clone(), *c)),
            Reading::Either(_) => None,
        };
        self.words.iter().filter_map(one).collect()
    }
}

/// The concept that a canonical word stands for.
pub(super) fn concept(word: &str) -> Concept {
    feature("concept", word)
}

/// What a word is where its meaning is not settled: itself, or a number without leading zeros.
pub(super) fn literal(word: &str) -> Concept {
    if word.chars().all(char::is_numeric) { feature("number", word.trim_start_matches('0')) } else { concept(word) }
}

/// The lines of the table by section.
struct Table<'t> {
    sections: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> Table<'t> {
    fn new(text: &'t str) -> Self {
        let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut section = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(name) => section = name,
                None => sections.entry(section).or_default().push(line),
            }
        }
        Self { sections }
    }

    fn lines(&self, section: &str) -> impl Iterator<Item = &'t str> {
        self.sections.get(section).into_iter().flatten().copied()
    }

    fn words(&self, section: &str) -> impl Iterator<Item = &'t str> {
        self.lines(section).flat_map(str::split_whitespace)
    }

    fn pairs(&self, section: &str) -> impl Iterator<Item = (&'t str, Vec<&'t str>)> {
        self.lines(section).filter_map(|line| line.split_once(": ")).map(|(left, right)| (left, list(right)))
    }

    fn opposites(&self) -> Vec<Vec<Vec<&'t str>>> {
        self.lines("opposites").map(|line| line.split('|').map(list).collect()).collect()
    }
}

fn list(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table<'static> {
        Table::new(include_str!("lexicon.txt"))
    }

    #[test]
    fn no_word_is_listed_twice() {
        let table = table();
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let mut twice = Vec::new();
        for section in ["forms", "ambiguous"] {
            for (left, right) in table.pairs(section) {
                let forms = if section == "forms" { right } else { vec![left] };
                for form in forms {
                    if let Some(other) = seen.insert(form, left) {
                        twice.push(format!("`{form}` is `{left}` and `{other}`"));
                    }
                }
            }
        }
        assert_eq!(twice, Vec::<String>::new());
    }

    #[test]
    fn what_forms_mean_is_no_form_itself() {
        let lexicon = Lexicon::standard();
        let mut chained = Vec::new();
        let table = table();
        let related = table.pairs("related").flat_map(|(_, members)| members);
        let opposed = table.opposites().into_iter().flatten().flatten();
        let meant = ["forms", "units"]
            .into_iter()
            .flat_map(|s| table.pairs(s))
            .map(|(left, _)| left)
            .filter(|l| !l.contains(' '));
        let listed = ["entities", "heads", "measures", "states", "weak"].into_iter().flat_map(|s| table.words(s));
        let ambiguous = table.pairs("ambiguous").flat_map(|(_, meanings)| meanings);
        for word in meant.chain(related).chain(opposed).chain(listed).chain(ambiguous) {
            if lexicon.words.get(word) != Some(&Reading::All(vec![concept(word)])) {
                chained.push(word);
            }
        }
        assert_eq!(chained, Vec::<&str>::new());
    }

    #[test]
    fn every_line_is_read() {
        let table = table();
        let sections: Vec<&str> = table.sections.keys().copied().collect();
        let known = [
            "ambiguous",
            "entities",
            "forms",
            "heads",
            "measures",
            "opposites",
            "related",
            "states",
            "units",
            "weak",
            "words",
        ];
        assert_eq!(sections, known);
        for section in ["ambiguous", "forms", "related", "units"] {
            assert_eq!(table.lines(section).count(), table.pairs(section).count(), "{section}");
        }
        assert!(table.opposites().iter().all(|sides| (2..=4).contains(&sides.len())));
        assert!(table.pairs("forms").count() >= 400);
    }
}
