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
use super::pattern::{first_match, words_of};

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
/// Words behind which `since` speaks of time.
const HAS: [&str; 5] = ["has", "have", "had", "ever", "long"];
/// Words of doubt that an offer to change an answer may have: `If anything is wrong, let me know`.
const OFFERED_DOUBT: [&str; 13] = [
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
    if explains_gap(&words, payload) {
        return words.into_iter().find(|word| doubts(word, payload));
    }
    let is_english = is_english(&words);
    clauses(sentence).into_iter().find_map(|clause| withdraws(&clause, is_english, payload))
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

/// Returns the words of a lead-in that put the payload behind it in doubt.
pub(super) fn doubted(words: &[String], payload: Payload<'_>) -> Option<String> {
    words.iter().find(|word| doubts(word, payload)).cloned()
}

fn doubts(word: &str, payload: Payload<'_>) -> bool {
    lists::DOUBT.has(word) && !(payload.is_topic)(word)
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
    let Clause { words: clause, is_reason } = clause;
    if let Some(word) = clause.iter().find(|word| doubts(word, payload)) {
        return Some(word.clone());
    }
    let known = |word: &String| is_plain(word) || (payload.is_topic)(word) || (payload.is_gap)(word);
    let closed = speaks_of_answer(clause, *is_reason, payload) || !is_english;
    let all_known = clause.iter().all(known);
    (closed && !all_known).then(|| clause.get(..MOST_QUOTED.min(clause.len())).unwrap_or_default().join(" "))
}

/// Returns whether a clause is about the answer, its writer or its reader, and not about something in the world. A
/// reason may begin with a word of the payload or a pronoun: `because it is a date`.
fn speaks_of_answer(clause: &[String], is_reason: bool, payload: Payload<'_>) -> bool {
    if clause.iter().any(|word| lists::ANSWER.has(word)) {
        return true;
    }
    let Some(first) = clause.first().filter(|_| !is_reason) else { return false };
    let subject = clause.iter().find(|word| !["the", "a", "an", "its"].contains(&word.as_str()));
    let own = subject.is_some_and(|word| word.len() > 2 && (payload.is_topic)(word));
    own || lists::SUBJECTS.has(first)
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
fn clauses(sentence: &str) -> Vec<Clause> {
    let marks = [',', ';', ':', '(', ')', '–', '—', '…', '[', ']', '|'];
    let spaced = sentence.replace(" - ", " – ").replace("--", "–");
    let mut clauses = Vec::new();
    let mut opening = true;
    for part in spaced.split(marks) {
        let mut clause = Clause { words: Vec::new(), is_reason: false };
        let words = words_of(part);
        for word in if std::mem::take(&mut opening) { without_opening(words) } else { words } {
            let lasts = word == "since" && clause.words.last().is_some_and(|last| HAS.contains(&last.as_str()));
            if JOINS.contains(&word.as_str()) && !lasts {
                let is_reason = ["because", "since", "which", "although", "while"].contains(&word.as_str());
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
