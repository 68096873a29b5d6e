//! Lead-ins without a verb that name what follows: `Timesheet rows, one per line:`.

use super::claims::Payload;
use super::lists;
use super::pattern::words_of;

/// The words of a phrase that may be any noun: `the elevation from the survey sheet`.
const MOST_UNKNOWN: usize = 4;
/// Beginnings by which a word denies or belittles.
const TURNING: [&str; 6] = ["un", "non", "mis", "pseudo", "quasi", "anti"];

/// Returns whether a line is a noun phrase that leads to the payload: it ends with a colon, names a part of an answer, a
/// source or a word of the payload, and has no verb, no person and no word that may turn it.
pub(super) fn names_payload(line: &str, payload: Payload<'_>) -> bool {
    let line = line.trim_end().trim_end_matches(['*', '_', '`', ' ']);
    let Some(phrase) = line.strip_suffix([':', '：']) else { return false };
    let words = words_of(phrase);
    let topic = |word: &str| word.len() > 2 && (payload.is_topic)(word);
    let named =
        words.iter().any(|word| topic(word) || (lists::ANSWER.has(word) && lists::PLAIN.has(word)) || is_part(word));
    // A name after the first word is somebody, whose answer it may be.
    let mut written = phrase.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’')).filter(|w| !w.is_empty());
    let is_person = |word: &str| {
        let lower = word.to_lowercase();
        word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase) && !topic(&lower)
    };
    let names_somebody = written.by_ref().skip(1).any(is_person) || words.iter().any(|word| word.contains('\''));
    let known = |word: &&String| lists::PLAIN.has(word) || topic(word) || is_part(word);
    let unknown = words.iter().filter(|word| !known(word)).count();
    named
        && unknown <= MOST_UNKNOWN
        && !names_somebody
        && !words.iter().any(|word| turns(word, payload))
        && !asks(&words)
}

/// Whether a word is one of many things of a sort.
fn is_part(word: &str) -> bool {
    const PARTS: [&str; 16] = [
        "rows", "row", "entries", "entry", "records", "record", "items", "item", "list", "table", "metadata",
        "summary", "overview", "extract", "report", "metrics",
    ];
    PARTS.contains(&word)
}

/// Whether a word may turn a phrase against what it leads to.
fn turns(word: &str, payload: Payload<'_>) -> bool {
    let persons = ["i", "me", "my", "we", "our", "us", "you", "your", "mine", "yours"];
    let barred = lists::DOUBT.has(word) || lists::WEIGHING.has(word) || lists::LEAD_BARS.has(word);
    let denied =
        TURNING.iter().any(|beginning| word.starts_with(beginning)) && !lists::PLAIN.has(word) && word != "unit";
    let past = word.ends_with("ed") && !lists::PLAIN.has(word);
    persons.contains(&word) || ((barred || denied || past) && !(payload.is_topic)(word))
}

/// `rows to delete`: what is to be done with something is no answer.
fn asks(words: &[String]) -> bool {
    words
        .windows(2)
        .any(|pair| matches!(pair, [to, next] if to == "to" && !["the", "a", "an"].contains(&next.as_str())))
}
