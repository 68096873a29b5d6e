//! Sentences behind a payload that may withdraw it in words that no list of withdrawals holds.
//!
//! What enters is a sentence behind a payload; what leaves is the words for which it is not taken for an explanation.
//! The judgement is closed: a clause that speaks of the answer, of its writer or to its reader has only words that are
//! known to leave an answer as it is (or that the payload itself has), and no clause has a word of doubt. A clause
//! about anything else, such as the text that the answer was taken from, may say what it likes.
//!
//! A sentence that is refused here need not be a withdrawal. Refusing an answer costs a question; keeping one that its
//! writer took back costs a wrong value.

use super::lists;
use super::noun_lead::names_payload;
use super::pattern::{first_match, matched, words_of};

/// Words that begin another clause of a sentence.
const JOINS: [&str; 14] = [
    "because",
    "since",
    "as",
    "which",
    "so",
    "but",
    "although",
    "though",
    "while",
    "whereas",
    "therefore",
    "until",
    "and",
    "however",
];
/// Words for the writer and the reader of an answer.
const PERSONS: [&str; 16] = [
    "i", "i'm", "i've", "i'll", "i'd", "me", "my", "mine", "myself", "we", "our", "us", "you", "your", "you're",
    "you'll",
];
/// Words behind which `since` speaks of time.
const HAS: [&str; 5] = ["has", "have", "had", "ever", "long"];
/// Words of doubt that an offer to change an answer may have: `If anything is wrong, let me know`.
const OFFERED_DOUBT: [&str; 14] = [
    "wrong",
    "incorrect",
    "unclear",
    "instead",
    "mistake",
    "mistakes",
    "error",
    "errors",
    "example",
    "examples",
    "sample",
    "template",
    "correction",
    "luck",
];
/// Words by which a sentence names a gap of the payload as one.
const GAP_WORDS: [&str; 12] = [
    "null", "omitted", "blank", "empty", "unset", "excluded", "skipped", "optional", "missing", "absent", "left",
    "mention",
];
/// Phrases of a sentence that says that something was left out of the payload.
const OMITS: [&str; 3] = [
    "omit|omitted|excluded",
    "left|leave|leaving|set|kept * null|blank|unset|empty|out",
    "not part of the schema|template|format|structure",
];
/// Openings that say nothing by themselves.
const OPENINGS: [&str; 4] =
    ["^please note that", "^note that", "^it should|must be noted|mentioned that", "^please note"];
/// Labels behind which reasons stand.
const REASON_LABELS: [&str; 8] =
    ["reason", "explanation", "why", "rationale", "method", "calculation", "basis", "justification"];
/// The words of a line that is a label: `Action Input:`.
const MOST_IN_LABEL: usize = 3;
/// The words of a clause that are quoted in a message.
const MOST_QUOTED: usize = 8;

/// What the payload speaks of.
#[derive(Clone, Copy)]
pub(super) struct Payload<'p> {
    /// Tells whether the payload has a word.
    pub(super) is_topic: &'p dyn Fn(&str) -> bool,
    /// Tells whether a word names a key that the payload leaves out.
    pub(super) is_gap: &'p dyn Fn(&str) -> bool,
}

/// Returns the words of a sentence for which it is not taken for an explanation.
pub(super) fn unexplained(sentence: &str, payload: Payload<'_>) -> Option<String> {
    let sentence = &without_quotations(without_marker(sentence));
    if sentence.chars().all(|c| !c.is_alphabetic()) {
        return None;
    }
    if is_token(sentence) {
        return words_of(sentence).into_iter().find(|word| doubts(word, payload));
    }
    let words = without_opening(words_of(sentence));
    let lower = sentence.to_lowercase();
    if lists::FOREIGN_COURTESY.iter().any(|part| lower.contains(part)) {
        return None;
    }
    if first_match(&words, lists::COURTESY.iter()).is_some() {
        let is_meant = |word: &&String| doubts(word, payload) && !OFFERED_DOUBT.contains(&word.as_str());
        return words.iter().find(is_meant).cloned();
    }
    if let Some(found) = left_out(&words, payload) {
        return Some(found);
    }
    if explains_gap(&words, payload) {
        return words.into_iter().find(|word| doubts(word, payload));
    }
    let (label, rest) = labelled(sentence);
    if let Some(word) = words_of(label).into_iter().find(|word| doubts(word, payload)) {
        return Some(word);
    }
    let gives_reasons = REASON_LABELS.iter().any(|reason| label.to_lowercase().contains(reason));
    let is_english = is_english(&words_of(rest));
    clauses(rest, gives_reasons).into_iter().find_map(|clause| withdraws(&clause, is_english, payload))
}

/// The label of a sentence, such as `Reasoning:`, and what stands behind it.
fn labelled(sentence: &str) -> (&str, &str) {
    let own = |word: &String| PERSONS.contains(&word.as_str());
    match sentence.split_once([':', '：']) {
        Some((label, rest)) if words_of(label).len() <= MOST_IN_LABEL && !words_of(label).iter().any(own) => {
            (label, rest)
        }
        _ => ("", sentence),
    }
}

/// Words without an opening such as `Please note that`.
fn without_opening(words: Vec<String>) -> Vec<String> {
    let opening = first_match(&words, OPENINGS).map_or(0, |found| found.split(' ').count());
    words.into_iter().skip(opening).collect()
}

/// A sentence without the longer passages that it quotes: what they say, the source says.
fn without_quotations(sentence: &str) -> String {
    const SHORTEST: usize = 3;
    let plain = sentence.replace(['“', '”', '„'], "\"");
    let mut kept = String::new();
    for (index, part) in plain.split('"').enumerate() {
        let is_quotation = index % 2 == 1 && words_of(part).len() >= SHORTEST;
        kept.push_str(if is_quotation { " " } else { part });
    }
    kept
}

/// Returns the words of a lead-in whose sentence is not finished before the payload and that is not taken for an offer.
pub(super) fn unoffered(clause: &str, payload: Payload<'_>) -> Option<String> {
    const OPEN: &[&str] = &[
        "^here|here's|heres|below|attached",
        "following json|answer|result|output|object|response|fields|values|entries|information|data|details|entities|items|list|record",
        "is|are|be|get|suggest|recommend|propose$",
        "as|per requested|promised|asked|instructed|discussed|agreed",
        "^based|following on|upon|your|the",
        "^after reviewing|reading|checking|analyzing|analysing|correcting|comparing|looking|going|counting|adding|careful",
        "filled in|out below",
        "see|listed|shown|given below$",
        "^and|so|but|then here|here's",
        "^there is|are",
        "^this|these|those is|are the|your|all",
        "^i|i've|we|we've extracted|found|identified|collected|filled|prepared|converted|parsed|created|listed|set",
        "^your|the * as json|yaml|object$",
    ];
    const TURNS: [&str; 26] = [
        "never",
        "no",
        "could",
        "might",
        "may",
        "should",
        "if",
        "unless",
        "someone",
        "somebody",
        "anyone",
        "people",
        "another",
        "other",
        "others",
        "different",
        "old",
        "last",
        "previous",
        "former",
        "yesterday",
        "friend",
        "brother",
        "colleague",
        "boss",
        "joke",
    ];
    let line = clause.trim_end().lines().next_back().unwrap_or_default();
    let words = words_of(line);
    let lower = line.to_lowercase();
    let is_foreign = || lists::FOREIGN_OFFERS.iter().any(|part| lower.contains(part));
    if words.len() <= MOST_IN_LABEL || is_foreign() || is_machine_line(line, &words) {
        return None;
    }
    // `Here is what Tim wrote`: somebody else's answer.
    let is_quoted = first_match(&words, ["^here|here's|heres|below|this * what|how|where"]).is_some()
        && first_match(&words, ["what|how|where i|i'd|i've|i'll|you|we|it|they|the|each|your"]).is_none();
    if first_match(&words, OPEN.iter().copied()).is_some() && !is_quoted {
        let last = words_of(line.rsplit(',').next().unwrap_or_default());
        return last.into_iter().find(|word| TURNS.contains(&word.as_str()) && !(payload.is_topic)(word));
    }
    if names_payload(line, payload) {
        return None;
    }
    let known = |word: &String| is_plain(word) || is_label(word) || (payload.is_topic)(word) || (payload.is_gap)(word);
    let unknown = words.iter().any(|word| !known(word));
    unknown.then(|| words.get(..MOST_QUOTED.min(words.len())).unwrap_or_default().join(" "))
}

/// Returns whether a line is written by a program and not by a person: a log line, a prompt of a shell, a
/// header, or a comment of a program.
fn is_machine_line(line: &str, words: &[String]) -> bool {
    let marks = ['@', '$', '=', '[', ']', '|', '\\', '/', '×', '+', '<', '>'];
    let figures = words.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    let is_comment = line.trim_start().starts_with("//");
    is_comment || (!is_english(words) && (line.contains(marks) || figures >= 2))
}

/// Returns whether a word alone may lead to an answer: `Sure:`, `Output:`.
fn is_label(word: &str) -> bool {
    const LABELS: [&str; 24] = [
        "sure",
        "okay",
        "certainly",
        "absolutely",
        "gladly",
        "course",
        "yes",
        "yep",
        "assistant",
        "sir",
        "go",
        "it",
        "let",
        "solution",
        "return",
        "call",
        "tool",
        "function",
        "arguments",
        "parameters",
        "analysis",
        "decision",
        "verdict",
        "classification",
    ];
    LABELS.contains(&word)
}

/// Returns the words of a lead-in that put the payload behind it in doubt.
pub(super) fn doubted(words: &[String], payload: Payload<'_>) -> Option<String> {
    words.iter().find(|word| doubts(word, payload)).cloned()
}

/// Returns the word of a sentence that may turn it against the payload behind it.
pub(super) fn turned(words: &[String], payload: Payload<'_>) -> Option<String> {
    const PLAIN_HERE: [&str; 8] = ["without", "no", "now", "today", "need", "needs", "needed", "again"];
    let turns = |word: &&String| lists::WEIGHING.has(word) && !PLAIN_HERE.contains(&word.as_str());
    words.iter().find(|word| turns(word) && !(payload.is_topic)(word)).cloned()
}

/// Returns whether a word puts whatever it is said of in doubt.
pub(crate) fn is_doubtful(word: &str) -> bool {
    lists::DOUBT.has(word)
}

/// Returns whether a word is one that sentences have and names do not: `the`, `and`, `was`.
pub(crate) fn is_of_sentence(word: &str) -> bool {
    lists::ENGLISH.has(word)
}

/// Returns whether a word may turn a statement about an answer into one against it.
pub(crate) fn is_turning(word: &str) -> bool {
    lists::WEIGHING.has(word)
}

fn doubts(word: &str, payload: Payload<'_>) -> bool {
    is_doubtful(word) && !(payload.is_topic)(word)
}

/// The words of a sentence that says that something was left out which the payload has: it was not written out in full.
fn left_out(words: &[String], payload: Payload<'_>) -> Option<String> {
    const LEFT_OUT: [&str; 2] = ["left|leave|leaving * out|off", "omitted|omit|skipped|abridged|shortened"];
    let names_gap = words.iter().any(|word| (payload.is_gap)(word));
    let names_topic = words.iter().any(|word| word.len() > 3 && (payload.is_topic)(word));
    first_match(words, LEFT_OUT).filter(|_| names_topic && !names_gap)
}

/// A sentence that names a key without a value, or says that something was left out.
fn explains_gap(words: &[String], payload: Payload<'_>) -> bool {
    let filled = first_match(words, lists::FILLED.iter()).is_some();
    let names_gap = words.iter().any(|word| (payload.is_gap)(word));
    let says_gap = words.iter().any(|word| GAP_WORDS.contains(&word.as_str()));
    let negates = || words.iter().any(|word| word == "not" || word == "no" || word.ends_with("n't"));
    let omits = first_match(words, OMITS.iter().copied()).is_some();
    omits || names_gap && (filled || says_gap || negates())
}

/// Returns the words of a clause that may take the payload back.
fn withdraws(clause: &Clause, is_english: bool, payload: Payload<'_>) -> Option<String> {
    let words = &clause.words;
    if let Some(word) = words.iter().find(|word| doubts(word, payload)) {
        return Some(word.clone());
    }
    let known = |word: &String| is_plain(word) || (payload.is_topic)(word) || (payload.is_gap)(word);
    let about = if is_english { about(clause, payload) } else { About::Answer };
    let unknown = match about {
        About::World => None,
        About::Making => {
            let turns = |word: &&String| lists::WEIGHING.has(word) && !(payload.is_topic)(word);
            // `No rule was broken`: what is denied is something in the world.
            let from = usize::from(words.first().is_some_and(|first| first == "no"));
            without_mentions(words).iter().skip(from).find(turns).cloned()
        }
        About::Answer => words.iter().find(|word| !known(word)).cloned(),
    };
    unknown.map(|_| words.get(..MOST_QUOTED.min(words.len())).unwrap_or_default().join(" "))
}

/// The subject of a clause.
enum About {
    /// Something in the world, such as the source of the answer: it may say what it likes.
    World,
    /// How the answer was made, how it is used, or what one of its fields is: no word may turn it against the answer.
    Making,
    /// The answer, its writer or its reader: every word is one that leaves the answer as it is.
    Answer,
}

/// Judges by its words what a clause is about. A reason may begin with a word of the payload or a pronoun: `because it
/// is a date`.
fn about(clause: &Clause, payload: Payload<'_>) -> About {
    const OBJECTS: [&str; 6] = ["that", "it", "them", "this", "those", "one"];
    let words = &clause.words;
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return About::World };
    let own = |word: &String| PERSONS.contains(&word.as_str());
    let speaks = |word: &String| lists::ANSWER.has(word);
    if first_match(words, lists::MAKING.iter()).is_some() && !words.iter().skip(1).any(own) {
        return About::Making;
    }
    if words.iter().any(speaks) || (words.len() > 1 && OBJECTS.contains(&last.as_str())) {
        return About::Answer;
    }
    if clause.is_reason {
        return About::World;
    }
    let subject = words.iter().find(|word| !["the", "a", "an", "its"].contains(&word.as_str()));
    if subject.is_some_and(|word| word.len() > 2 && (payload.is_topic)(word)) {
        return About::Making;
    }
    // `both texts stay …`: the word stands before its noun.
    let next_is_noun = || words.get(1).is_some_and(|next| !lists::ENGLISH.has(next) && !lists::ANSWER.has(next));
    match first.as_str() {
        "both" | "all" | "each" | "every" | "no" | "some" if next_is_noun() => About::Making,
        _ if lists::PRONOUNS.has(first) || lists::SUBJECTS.has(first) => About::Answer,
        _ => About::World,
    }
}

/// Words without negations that say only that something is not mentioned: `was not listed separately`.
fn without_mentions(words: &[String]) -> Vec<String> {
    const MENTIONED: &str = "not|never|isn't|wasn't|aren't|weren't mentioned|listed|stated|specified|provided|given|included|present|available|\
                             applicable|required|needed|relevant|tagged|extracted|invoiced|charged|part|shown|printed|repeated|among";
    let mut left = words.to_vec();
    while let Some(found) = matched(&left, MENTIONED) {
        let count = found.split(' ').count();
        let Some(at) = left.windows(count).position(|window| window.join(" ") == found) else { break };
        left.drain(at..at + count);
    }
    left
}

/// Returns whether at least one word in three of a sentence is one that hardly an English sentence is without, and one
/// in two where it has letters that English does not.
fn is_english(words: &[String]) -> bool {
    let common = words.iter().filter(|word| lists::ENGLISH.has(word)).count();
    let parts = if words.iter().all(|word| word.is_ascii()) { 3 } else { 2 };
    common * parts >= words.len().max(1)
}

fn is_plain(word: &str) -> bool {
    lists::PLAIN.has(word)
}

/// A clause of a sentence.
struct Clause {
    words: Vec<String>,
    /// A word such as `because` leads to it.
    is_reason: bool,
}

/// The clauses of a sentence.
fn clauses(sentence: &str, gives_reasons: bool) -> Vec<Clause> {
    let marks = [',', ';', ':', '(', ')', '–', '—', '…', '[', ']', '|'];
    let spaced = sentence.replace(" - ", " – ").replace("--", "–");
    let mut clauses = Vec::new();
    let mut opening = true;
    for part in spaced.split(marks) {
        let mut clause = Clause { words: Vec::new(), is_reason: gives_reasons };
        let words = words_of(part);
        for word in if std::mem::take(&mut opening) { without_opening(words) } else { words } {
            let lasts = word == "since" && clause.words.last().is_some_and(|last| HAS.contains(&last.as_str()));
            if JOINS.contains(&word.as_str()) && !lasts {
                let is_reason =
                    gives_reasons || ["because", "since", "which", "although", "while"].contains(&word.as_str());
                clauses.push(std::mem::replace(&mut clause, Clause { words: Vec::new(), is_reason }));
            } else {
                clause.words.push(word);
            }
        }
        clauses.push(clause);
    }
    clauses.retain(|clause| !clause.words.is_empty());
    clauses
}

/// A sentence without the mark of a list, a heading or a quotation before it.
fn without_marker(sentence: &str) -> &str {
    let text = sentence.trim_start_matches(|c: char| c.is_whitespace() || "-*#>•·+".contains(c));
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < text.len() { digits.strip_prefix(['.', ')']).unwrap_or(text) } else { text }
}

/// Returns whether a sentence is one token of a program, such as `took=12ms` or a prompt of a shell.
fn is_token(sentence: &str) -> bool {
    let sentence = sentence.trim();
    !sentence.contains(char::is_whitespace) && sentence.contains(['=', '@', '$', '/', '<', '|', '~', '_', '\\', '#'])
}

#[cfg(test)]
mod tests {
    use super::{Payload, unexplained};

    fn judge(sentence: &str) -> Option<String> {
        let topics = ["status", "open", "total", "12", "5"];
        let gaps = ["phone"];
        let payload = Payload { is_topic: &|word| topics.contains(&word), is_gap: &|word| gaps.contains(&word) };
        unexplained(sentence, payload)
    }

    #[test]
    fn explanations_and_courtesies_are_kept_apart_from_withdrawals() {
        let kept = [
            "Let me know if anything is wrong!",
            "The customer paid in March and has since moved.",
            "The status is open because the ticket was never closed.",
            "I set the status to open.",
            "The text does not mention a phone number.",
            "Sag Bescheid, falls du noch etwas brauchst.",
            "The phrase \"ignore my last mail\" shows that the customer is in a hurry.",
            "took=12ms",
            "1.",
        ];
        for sentence in kept {
            assert_eq!(judge(sentence), None, "{sentence}");
        }
        let refused = [
            "I rolled a die for the status.",
            "The status is whatever my cat walked over.",
            "My neighbour could have told you better.",
            "Coin toss.",
            "To jest tylko wymysł.",
            "You would be a fool to believe it.",
            "Let me know if you want the real numbers.",
            "This is \"wrong\".",
            "wrong=true",
        ];
        for sentence in refused {
            assert!(judge(sentence).is_some(), "{sentence}");
        }
    }
}
