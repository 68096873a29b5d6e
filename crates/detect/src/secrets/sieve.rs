//! The sieve: finds the places of a text where a rule may match; everywhere else it certainly does not.
//!
//! A rule matches where its pattern does, and only in the window around one of its keywords. So either the
//! leads of its pattern or its keywords must stand in the text, and the sieve looks for whichever of the
//! two is rarer. Of each it takes four neighbouring bytes, the rarest, once at an even place and once at an
//! odd one, and looks all of them up at once in a table of bits, for every second place of the text. Hardly
//! any place passes, and what passes is compared with the whole lead and with the rule's [`Guise`].
//!
//! A few leads have too little that is certain in four bytes, such as `s.` before anything random. Those are
//! looked for by their one certain literal.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use deed_canon::Invariant;
use memchr::memmem::Finder;

use super::compiled::{expanded, pattern_of};
use super::guise::{Guise, Surroundings, View};
use super::lead::{Lead, Sets, leads};
use super::rule::{Form, Rule};
use crate::bytes::ByteSet;
use crate::reading::Reading;

/// The bytes that are looked up together.
const GRAM: usize = 4;
/// Every so many places are looked at, so every lead has a gram for each remainder.
const STEP: usize = 2;
/// The bits of the table, as a power of two; with 64 kilobytes it stays in the near caches.
const TABLE_BITS: u32 = 19;
const TABLE_WORDS: usize = 1 << (TABLE_BITS - 6);
/// The buckets of grams, as a power of two.
const BUCKET_BITS: u32 = 12;
/// The most grams that one lead is looked up by.
const MOST_GRAMS: usize = 320;
/// The cost of a gram: the share of places that have its hash by coincidence.
const COST_OF_A_GRAM: f64 = 1e-7;
/// The factor by which keywords must be rarer than leads to be preferred: leads are more specific.
const PREFERENCE: f64 = 4.0;

/// A place where a rule may match: the bytes of its lead or of its keyword.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suspect {
    pub(super) rule: usize,
    pub(super) place: Range<usize>,
}

/// Finds the places where rules may match.
pub(super) struct Sieve {
    /// A bit for every hash of every gram.
    table: Box<[u64; TABLE_WORDS]>,
    /// The start of each bucket of `grams`, by the front of the hash, and the end of the last.
    buckets: Vec<usize>,
    grams: Vec<Gram>,
    /// Literals that are looked for by themselves, with the anchors that they announce.
    needles: Vec<Needle>,
    anchors: Vec<Anchor>,
    /// The distinct byte sets of all leads.
    sets: Vec<ByteSet>,
    guises: Vec<Guise>,
    /// Rules that could not be read, which are suspected in every text.
    unread: Vec<usize>,
}

/// A literal that announces anchors.
struct Needle {
    finder: Finder<'static>,
    /// Anchors, and where in each the literal is.
    anchors: Vec<(u32, usize)>,
}

/// Four bytes that announce an anchor.
#[derive(Clone, Copy)]
struct Gram {
    folded: u32,
    anchor: u32,
    /// The place of the lead's first byte, counted from the gram's: before it, or one behind it.
    start: i32,
}

/// A lead or a keyword of a rule.
struct Anchor {
    rule: usize,
    /// The byte sets, by index.
    sets: Vec<usize>,
    /// True if no word character may stand before it.
    begins_a_word: bool,
}

impl Sieve {
    /// Reads every rule's pattern and keywords.
    pub(super) fn new(rules: &[Rule]) -> Self {
        let mut build = Build::default();
        for (index, rule) in rules.iter().enumerate() {
            build.add(index, rule);
        }
        build.finish(rules.iter().map(Guise::of).collect())
    }

    /// Every place where a rule may match, from left to right. Nothing is allocated where there is none.
    pub(super) fn suspects(&self, text: &str, reading: Reading) -> Vec<Suspect> {
        let bytes = text.as_bytes();
        let view = &View { bytes, reading, undotted: Cell::default() };
        let whole = |rule: &usize| Suspect { rule: *rule, place: 0..bytes.len() };
        let mut suspects: Vec<Suspect> = self.unread.iter().map(whole).collect();
        let grams = bytes.array_windows::<GRAM>().step_by(STEP);
        let looked_at = grams.len() * STEP;
        for (at, gram) in grams.enumerate() {
            let folded = fold(u32::from_le_bytes(*gram));
            if self.is_listed(hash(folded)) && self.is_listed(other_hash(folded)) {
                self.look(view, at * STEP, folded, &mut suspects);
            }
        }
        // The last places, as if zeroes followed.
        for at in (looked_at..bytes.len()).step_by(STEP) {
            let mut gram = [0; GRAM];
            gram.iter_mut().zip(bytes.iter().skip(at)).for_each(|(slot, byte)| *slot = *byte);
            self.look(view, at, fold(u32::from_le_bytes(gram)), &mut suspects);
        }
        for needle in &self.needles {
            for at in needle.finder.find_iter(bytes) {
                for (anchor, offset) in &needle.anchors {
                    self.compare(view, *anchor, at.checked_sub(*offset), &mut suspects);
                }
            }
        }
        if suspects.len() > 1 {
            suspects.sort_unstable_by_key(|suspect| (suspect.place.start, suspect.rule));
        }
        suspects
    }

    #[inline]
    fn is_listed(&self, hash: u32) -> bool {
        let word = self.table.get((hash >> (32 - TABLE_BITS + 6)) as usize).invariant("the table has every hash");
        word >> ((hash >> (32 - TABLE_BITS)) & 63) & 1 == 1
    }

    /// Compares the anchors that a gram announces with the text around it.
    #[inline(never)]
    fn look(&self, view: &View<'_>, at: usize, folded: u32, suspects: &mut Vec<Suspect>) {
        let bucket = (hash(folded) >> (32 - BUCKET_BITS)) as usize;
        let edge = |bucket: usize| self.buckets.get(bucket).copied().invariant("every hash has a bucket");
        let grams = self.grams.get(edge(bucket)..edge(bucket + 1)).invariant("a bucket lies within the grams");
        for gram in grams {
            if gram.folded == folded {
                self.compare(view, gram.anchor, at.checked_add_signed(gram.start as isize), suspects);
            }
        }
    }

    /// Compares one anchor with the text at one place.
    fn compare(&self, view: &View<'_>, anchor: u32, start: Option<usize>, suspects: &mut Vec<Suspect>) {
        let anchor = self.anchors.get(anchor as usize).invariant("a gram announces an anchor");
        if let Some(start) = start
            && self.is_at(anchor, view.bytes, start)
        {
            let place = start..start + anchor.sets.len();
            let guise = self.guises.get(anchor.rule).copied().invariant("a rule has a guise");
            if guise.may_be(&Surroundings { view, place: place.clone() }) {
                suspects.push(Suspect { rule: anchor.rule, place });
            }
        }
    }

    fn is_at(&self, anchor: &Anchor, bytes: &[u8], start: usize) -> bool {
        let there = bytes.get(start..).and_then(|rest| rest.get(..anchor.sets.len()));
        let holds = |(set, byte): (&usize, &u8)| self.sets.get(*set).invariant("a set has an index").has(*byte);
        let word_before = || start.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|b| is_word(*b));
        there.is_some_and(|there| anchor.sets.iter().zip(there).all(holds)) && !(anchor.begins_a_word && word_before())
    }
}

/// The parts of the sieve while rules are added.
#[derive(Default)]
struct Build {
    anchors: Vec<Anchor>,
    sets: Sets,
    /// The folded bytes of each set and how often any of them stands in a text, by index.
    folded: Vec<(Vec<u8>, f64)>,
    grams: Vec<Gram>,
    /// Literals that are looked for by themselves, each with anchors and places.
    needles: BTreeMap<Vec<u8>, Vec<(u32, usize)>>,
    unread: Vec<usize>,
}

impl Build {
    fn add(&mut self, index: usize, rule: &Rule) {
        let words: Vec<Lead> = rule.keywords.iter().map(|word| Lead::of_word(word, &mut self.sets)).collect();
        // Without leads the keywords are looked for, and without those the rule is suspected in every text.
        let own = leads(&beginning_of(rule.form), &mut self.sets).unwrap_or_default();
        let news = self.sets.sets.iter().skip(self.folded.len());
        self.folded.extend(news.map(folded));
        let (by_word, by_lead) = (self.ways(&words), self.ways(&own));
        let cost = |ways: &Option<Vec<Way>>| ways.as_ref().map(|ways| ways.iter().map(Way::cost).sum::<f64>());
        let prefers_words = match (cost(&by_lead), cost(&by_word)) {
            // A word too short for grams stands everywhere, and behind it nothing could be compared.
            (Some(lead), Some(word)) => lead > word * PREFERENCE && !by_word.iter().flatten().any(Way::is_needle),
            (lead, _) => lead.is_none(),
        };
        let (chosen, ways) = if prefers_words { (words, by_word) } else { (own, by_lead) };
        let Some(ways) = ways else {
            self.unread.push(index);
            return;
        };
        let begins_a_word = !prefers_words && matches!(rule.form, Form::Token(_));
        for (lead, way) in chosen.into_iter().zip(ways) {
            let anchor = self.anchors.len() as u32;
            match way {
                Way::Grams(windows) => {
                    for Window { offset, .. } in windows {
                        let grams = self.grams_at(&lead, offset);
                        self.grams.extend(grams.into_iter().map(|folded| Gram { folded, anchor, start: -offset }));
                    }
                }
                Way::Needle(needle, offset) => self.needles.entry(needle).or_default().push((anchor, offset)),
            }
            self.anchors.push(Anchor { rule: index, sets: lead.sets, begins_a_word });
        }
    }

    /// The way to look for each lead; `None` without leads, or if one of them has no way.
    fn ways(&self, leads: &[Lead]) -> Option<Vec<Way>> {
        let grams = |lead| Some(Way::Grams([self.best_window(lead, 0)?, self.best_window(lead, 1)?]));
        let way = |lead| grams(lead).or_else(|| self.needle_of(lead));
        leads.iter().map(way).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
    }

    /// The longest literal of a lead.
    fn needle_of(&self, lead: &Lead) -> Option<Way> {
        let one = |set: &usize| {
            let mut bytes = self.sets.sets.get(*set)?.iter();
            bytes.next().filter(|_| bytes.next().is_none())
        };
        let literals = (0..lead.sets.len()).map(|start| {
            let literal: Vec<u8> = lead.sets.iter().skip(start).map_while(one).collect();
            (literal, start)
        });
        let (literal, start) = literals.max_by_key(|(literal, start)| (literal.len(), lead.sets.len() - start))?;
        (!literal.is_empty()).then_some(Way::Needle(literal, start))
    }

    /// The four bytes of a lead that cost least to look for, of those at even or at odd places.
    fn best_window(&self, lead: &Lead, remainder: i32) -> Option<Window> {
        let last = (lead.sets.len() as i32 - GRAM as i32 + 1).max(1);
        let starts = (-1..=last).filter(|offset| offset.rem_euclid(STEP as i32) == remainder);
        let windows = starts.filter_map(|offset| {
            let places = [0, 1, 2, 3].map(|place| self.folded_at(lead, offset + place));
            // Beyond the lead any of the folded bytes may stand.
            let count: usize = places.iter().map(|place| place.map_or(ANY.len(), |(bytes, _)| bytes.len())).product();
            let share: f64 = places.iter().map(|place| place.map_or(1.0, |(_, share)| *share)).product();
            let cost = share + count as f64 * COST_OF_A_GRAM;
            (count <= MOST_GRAMS).then_some(Window { offset, cost })
        });
        windows.min_by(|one, other| f64::total_cmp(&one.cost, &other.cost))
    }

    /// Every gram that the four places of a lead allow.
    fn grams_at(&self, lead: &Lead, offset: i32) -> Vec<u32> {
        let bytes = |place| self.folded_at(lead, offset + place).map_or(ANY.as_slice(), |(bytes, _)| bytes);
        let places = [3, 2, 1, 0].map(bytes);
        places.into_iter().fold(vec![0], |grams, place| {
            grams.iter().flat_map(|gram| place.iter().map(move |byte| gram << 8 | u32::from(*byte))).collect()
        })
    }

    fn folded_at(&self, lead: &Lead, place: i32) -> Option<&(Vec<u8>, f64)> {
        let set = usize::try_from(place).ok().and_then(|place| lead.sets.get(place));
        set.and_then(|set| self.folded.get(*set))
    }

    fn finish(mut self, guises: Vec<Guise>) -> Sieve {
        let front = |gram: &Gram| (hash(gram.folded) >> (32 - BUCKET_BITS)) as usize;
        self.grams.sort_unstable_by_key(|gram| (front(gram), gram.folded, gram.anchor));
        let mut buckets = vec![0; (1 << BUCKET_BITS) + 1];
        let mut table = Box::new([0_u64; TABLE_WORDS]);
        for gram in &self.grams {
            *buckets.get_mut(front(gram) + 1).invariant("every hash has a bucket") += 1;
            for hash in [hash(gram.folded), other_hash(gram.folded)] {
                let word =
                    table.get_mut((hash >> (32 - TABLE_BITS + 6)) as usize).invariant("the table has every hash");
                *word |= 1 << ((hash >> (32 - TABLE_BITS)) & 63);
            }
        }
        let mut end = 0;
        for bucket in &mut buckets {
            end += *bucket;
            *bucket = end;
        }
        let Self { anchors, sets, grams, unread, needles, .. } = self;
        let needle = |(literal, anchors): (Vec<u8>, _)| Needle { finder: Finder::new(&literal).into_owned(), anchors };
        let needles = needles.into_iter().map(needle).collect();
        Sieve { table, buckets, grams, needles, anchors, sets: sets.sets, guises, unread }
    }
}

/// A way to look for a lead.
enum Way {
    /// By four of its bytes, at an even place or at an odd one.
    Grams([Window; STEP]),
    /// By a literal, at this place in the lead.
    Needle(Vec<u8>, usize),
}

impl Way {
    fn is_needle(&self) -> bool {
        matches!(self, Self::Needle(..))
    }

    fn cost(&self) -> f64 {
        match self {
            Self::Grams(windows) => windows.iter().map(|window| window.cost).sum(),
            Self::Needle(literal, _) => literal.iter().map(|byte| frequency(byte | 0x20)).product(),
        }
    }
}

/// As much of a form's pattern as leads can come from: behind a vendor's name anything may stand.
fn beginning_of(form: Form) -> String {
    match form {
        Form::Assigned { vendor, .. } => expanded(&format!("(?i:{vendor})")),
        Form::Token(pattern) => expanded(pattern),
        Form::Within(_) => pattern_of(form),
    }
}

/// The offset of a gram in its lead, and the cost of looking for it.
struct Window {
    offset: i32,
    cost: f64,
}

/// Letters in one case. Some other bytes fall together as well, which costs a comparison at most.
#[inline]
fn fold(gram: u32) -> u32 {
    gram | 0x2020_2020
}

#[inline]
fn hash(folded: u32) -> u32 {
    folded.wrapping_mul(0x9e37_79b1)
}

/// A second opinion: few grams that share one hash with a listed one share both.
#[inline]
fn other_hash(folded: u32) -> u32 {
    folded.wrapping_mul(0x85eb_ca6b)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The folded bytes of a set, and how often any of them stands in a text.
fn folded(set: &ByteSet) -> (Vec<u8>, f64) {
    let folded: BTreeSet<u8> = set.iter().map(|byte| byte | 0x20).collect();
    let share = folded.iter().map(|byte| frequency(*byte)).sum::<f64>().min(1.0);
    (folded.into_iter().collect(), share)
}

/// Every folded byte.
static ANY: LazyLock<Vec<u8>> = LazyLock::new(|| folded(&ByteSet::of(|_| true)).0);

/// The rough frequency of a folded byte in prose and JSON; only the choice of grams depends on it.
fn frequency(folded: u8) -> f64 {
    let in_a_thousand = match folded {
        b' ' => 100.0,
        b'e' => 75.0,
        // Dates, addresses and members of JSON.
        b'/' | b':' => 40.0,
        b'"' | b't' | b'a' => 60.0,
        b'o' | b'i' | b'n' | b's' | b'r' => 55.0,
        b'h' | b'l' | b'd' => 35.0,
        b'u' | b'c' | b'm' | b',' => 25.0,
        b'p' | b'f' | b'g' | b'-' | b'0'..=b'9' => 18.0,
        b'w' | b'y' | b'b' | b'.' | 0x7f => 12.0,
        b'v' | b'k' => 7.0,
        b'{' | b'}' | b'*' | b'x' | b'j' | b'q' | b'z' => 3.0,
        _ => 1.5,
    };
    in_a_thousand / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::*;

    fn standard() -> Sieve {
        Sieve::new(&rules().copied().collect::<Vec<_>>())
    }

    #[test]
    fn every_rule_can_be_looked_for() {
        let sieve = standard();
        assert_eq!(sieve.unread, Vec::<usize>::new());
        for (index, rule) in rules().enumerate() {
            assert!(sieve.anchors.iter().any(|anchor| anchor.rule == index), "{}", rule.id());
        }
    }

    #[test]
    fn ordinary_text_is_passed_over() {
        let sieve = standard();
        for text in [
            "Both sides of the pattern of global laws bother a secretary, and the bottle is precious.",
            "{\"order_id\":\"0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b11\",\"line_id\":7,\"city\":\"Graz\",\"locale\":\"en-US\"}",
            "https://shop.internal/orders/1377 costs 4.2 | 5.1 on 01/02/2026",
        ] {
            assert_eq!(sieve.suspects(text, Reading::Text), [], "{text}");
            assert_eq!(sieve.suspects(text, Reading::Json), [], "{text}");
        }
    }

    #[test]
    fn what_a_view_remembers_is_of_one_rule() {
        let dotted = |guise: &&Guise| matches!(guise, Guise::Dotted(..));
        assert_eq!(standard().guises.iter().filter(dotted).count(), 1);
    }
}
