//! The word lists behind the judgement of prose, one data file each under `lists/`. A line is an entry; `#` begins a
//! comment.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A list of patterns or parts of sentences, one a line.
pub(super) struct Lines(&'static str);

impl Lines {
    /// The entries in the order of the file.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.0.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
}

/// A set of words, separated by white space. A word that ends in `*` stands for all words that begin with it.
pub(super) struct Words(LazyLock<Vocabulary>);

struct Vocabulary {
    words: HashSet<&'static str>,
    stems: Vec<&'static str>,
}

impl Words {
    const fn new(load: fn() -> Vocabulary) -> Self {
        Self(LazyLock::new(load))
    }

    /// Returns whether a word is in the list.
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.words.contains(word) || self.0.stems.iter().any(|stem| word.starts_with(stem))
    }
}

fn vocabulary(text: &'static str) -> Vocabulary {
    let words = || Lines(text).iter().flat_map(str::split_whitespace);
    Vocabulary {
        words: words().filter(|word| !word.ends_with('*')).collect(),
        stems: words().filter_map(|word| word.strip_suffix('*')).collect(),
    }
}

/// Phrases that say nothing of a payload although they hold a word of another list.
pub(super) const NEUTRAL: Lines = Lines(include_str!("lists/neutral.txt"));
/// Lead-ins that quote a payload, where their sentence is not finished before it.
pub(super) const QUOTES: Lines = Lines(include_str!("lists/quotes.txt"));
/// Lead-ins that announce the answer, whatever else they say.
pub(super) const ANNOUNCES: Lines = Lines(include_str!("lists/announces.txt"));
/// Lead-ins that offer a payload: `Here is …`.
pub(super) const OFFERS: Lines = Lines(include_str!("lists/offers.txt"));
/// Lead-ins that say that the payload is not the answer, although they offer it.
pub(super) const OFFERED_LEADS: Lines = Lines(include_str!("lists/offered_leads.txt"));
/// Lead-ins that say that the payload is not the answer.
pub(super) const LEADS: Lines = Lines(include_str!("lists/leads.txt"));
/// Words right behind a payload, in its own sentence, that say that it is not the answer.
pub(super) const TAILS: Lines = Lines(include_str!("lists/tails.txt"));
/// Words in brackets right behind a payload that withdraw it.
pub(super) const ASIDES: Lines = Lines(include_str!("lists/asides.txt"));
/// Sentences behind a payload that withdraw or correct it.
pub(super) const RETRACTIONS: Lines = Lines(include_str!("lists/retractions.txt"));
/// Sentences that say that the answer is not known.
pub(super) const UNKNOWN: Lines = Lines(include_str!("lists/unknown.txt"));
/// Words of other languages that call a payload an example, wrong or old, or that correct it.
pub(super) const FOREIGN: Lines = Lines(include_str!("lists/foreign.txt"));
/// Words of other languages that forbid a payload they lead to.
pub(super) const FOREIGN_NEGATIONS: Lines = Lines(include_str!("lists/foreign_negations.txt"));
/// Words of a sentence that names a gap and says how it was filled.
pub(super) const FILLED: Lines = Lines(include_str!("lists/filled.txt"));
/// Comments inside a value that say that a part of it was left out.
pub(super) const OMISSIONS: Lines = Lines(include_str!("lists/omissions.txt"));
/// Comments inside a value that question it, correct it or name another one.
pub(super) const QUESTIONS: Lines = Lines(include_str!("lists/questions.txt"));
/// Parts of comments of other languages that say that a part was left out.
pub(super) const FOREIGN_OMISSIONS: Lines = Lines(include_str!("lists/foreign_omissions.txt"));
/// Words of doubt of other languages, in comments.
pub(super) static FOREIGN_DOUBT: Words = Words::new(|| vocabulary(include_str!("lists/foreign_doubt.txt")));
/// Signs of doubt and of open questions in scripts without blanks.
pub(super) const FOREIGN_DOUBT_SIGNS: Lines = Lines(include_str!("lists/foreign_doubt_signs.txt"));
/// Openings of sentences that close an answer.
pub(super) const COURTESY: Lines = Lines(include_str!("lists/courtesy.txt"));
/// Openings of sentences in which the writer says how the answer was made or is used.
pub(super) const MAKING: Lines = Lines(include_str!("lists/making.txt"));
/// Parts of lead-ins of other languages that offer a payload.
pub(super) const FOREIGN_OFFERS: Lines = Lines(include_str!("lists/foreign_offers.txt"));
/// Parts of sentences of other languages that close an answer.
pub(super) const FOREIGN_COURTESY: Lines = Lines(include_str!("lists/foreign_courtesy.txt"));

/// Lines that close a letter.
pub(super) const VALEDICTIONS: Lines = Lines(include_str!("lists/valedictions.txt"));
/// Whole sentences of other languages that close an answer.
pub(super) const FOREIGN_CLOSINGS: Lines = Lines(include_str!("lists/foreign_closings.txt"));
/// Whole sentences that say that something went well or is as it was.
pub(super) const SETTLED: Lines = Lines(include_str!("lists/settled.txt"));

/// Words for which a lead-in without a verb is not taken for an offer.
pub(super) static LEAD_BARS: Words = Words::new(|| vocabulary(include_str!("lists/lead_bars.txt")));
/// Words that put whatever they are said of in doubt.
pub(super) static DOUBT: Words = Words::new(|| vocabulary(include_str!("lists/doubt.txt")));
/// Words of a clause that speaks of the answer, of its writer or to its reader.
pub(super) static ANSWER: Words = Words::new(|| vocabulary(include_str!("lists/answer.txt")));
/// Words that speak to the reader, or of how the answer came to be, where a clause begins with them.
pub(super) static SUBJECTS: Words = Words::new(|| vocabulary(include_str!("lists/subjects.txt")));
/// Words that stand for the answer or its parts where a clause begins with them.
pub(super) static PRONOUNS: Words = Words::new(|| vocabulary(include_str!("lists/pronouns.txt")));
/// Words that leave an answer as it is.
pub(super) static PLAIN: Words = Words::new(|| vocabulary(include_str!("lists/plain_words.txt")));
/// Words that may turn a statement about the answer into one against it.
pub(super) static WEIGHING: Words = Words::new(|| vocabulary(include_str!("lists/weigh.txt")));
/// Words that hardly an English sentence is without.
pub(super) static ENGLISH: Words = Words::new(|| vocabulary(include_str!("lists/english.txt")));
