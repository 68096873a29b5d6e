//! One value inside a sentence, where a single value is the whole answer: `I would file this under **billing**.`
//!
//! A choice or a text of a given form counts where no other part of the sentence is one too. A number counts only behind
//! the words that lead to it, since a sentence has numbers for many reasons. A word that may turn the sentence, such as a
//! negation, an alternative or a doubt, leaves no reading.

use super::lone::{TAKE_BACK, literal};
use super::{Judge, NO_WORD};
use crate::prose::{is_doubtful, is_turning};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use serde_json::Value;

/// Longer than a sentence that answers a question.
const LONGEST: usize = 240;
/// The most words of a choice.
const MOST_WORDS: usize = 4;

/// Words that may turn a sentence against the value in it.
const TURNS: [&str; 49] = [
    "sometime",
    "someday",
    "week",
    "month",
    "year",
    "early",
    "late",
    "mid",
    "within",
    "after",
    "since",
    "weeks",
    "months",
    "any",
    "all",
    "both",
    "was",
    "were",
    "used",
    "formerly",
    "previously",
    "before",
    "until",
    "about",
    "around",
    "approximately",
    "roughly",
    "over",
    "under",
    "more",
    "most",
    "up",
    "like",
    "similar",
    "close",
    "also",
    "and",
    "between",
    "than",
    "but",
    "rather",
    "versus",
    "vs",
    "mostly",
    "mixed",
    "partly",
    "somewhat",
    "slightly",
    "opposite",
];
/// Words behind which the number of a short sentence stands.
const LEADS_TO_NUMBER: [&str; 8] = ["is", "are", "equals", "=", "total", "totals", "answer", "count"];
/// Words behind which the choice of a sentence stands.
const LEADS_TO_TEXT: [&str; 10] = ["as", "is", "be", "to", "under", "category", "label", "class", "code", "type"];

/// The readings of a sentence as one of the values in it.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let sentence = text.trim();
    if sentence.is_empty() || sentence.len() > LONGEST || sentence.contains(['\n', '{', '}', '[', ']', '?', '…']) {
        return Vec::new();
    }
    let marks = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '+' | '$' | '#' | '%');
    let words: Vec<&str> = sentence.split_whitespace().map(|word| word.trim_matches(marks)).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase().replace('’', "'")).collect();
    // A sentence of two or more, or one with a word that may turn it, says more than one thing.
    let ends = [". ", "! ", "; "].iter().any(|end| sentence.contains(end));
    let turns = |word: &String| {
        let word = word.as_str();
        TURNS.contains(&word) || TAKE_BACK.contains(&word) || is_doubtful(word) || (word != "would" && is_turning(word))
    };
    if words.len() < 3 || ends || lower.iter().any(turns) {
        return Vec::new();
    }
    let number = numbers(&words, &lower).filter(|value| judge.allows(value) || judge.accepts(value));
    let found = number.map_or_else(|| texts(sentence, &words, judge), |value| vec![value]);
    found.into_iter().map(|value| reading(text, value)).collect()
}

/// The only number of a sentence, where words lead to it or it counts what follows: `There are 37 open orders`.
fn numbers(words: &[&str], lower: &[String]) -> Option<Value> {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let mut found = words.iter().enumerate().filter(|(_, word)| is_number(word));
    let (at, word) = found.next().filter(|_| found.next().is_none())?;
    let leads = |word: &String| LEADS_TO_NUMBER.contains(&word.as_str());
    let is_led = at.checked_sub(1).and_then(|before| lower.get(before)).is_some_and(leads);
    let counts = lower.first().is_some_and(|first| first == "there") && at == 2;
    let is_last = at + 1 == words.len();
    if counts || (is_led && is_last) { literal(word).filter(Value::is_number) } else { None }
}

/// The texts of a sentence that the schema tells from other texts. A word counts where a mark or a word such as `as`
/// singles it out, a text with a digit wherever it stands; any other that the schema allows leaves the sentence open.
fn texts(sentence: &str, words: &[&str], judge: &dyn Judge) -> Vec<Value> {
    let no_word = Value::from(NO_WORD);
    if judge.allows(&no_word) || judge.accepts(&no_word) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for count in 1..=MOST_WORDS {
        for (at, run) in words.windows(count).enumerate() {
            let text = run.join(" ");
            let value = Value::from(text.as_str());
            if !judge.allows(&value) && !judge.accepts(&value) {
                continue;
            }
            let before = at.checked_sub(1).and_then(|before| words.get(before)).map(|word| word.to_lowercase());
            let before = before
                .filter(|word| word != "a" && word != "an")
                .or_else(|| at.checked_sub(2).and_then(|before| words.get(before)).map(|word| word.to_lowercase()));
            let is_led = before.is_some_and(|word| LEADS_TO_TEXT.contains(&word.as_str()));
            let is_marked = ["**", "`", "\"", "'"].iter().any(|mark| sentence.contains(&format!("{mark}{text}{mark}")));
            if !is_led && !is_marked && !text.contains(|c: char| c.is_ascii_digit()) {
                return Vec::new();
            }
            found.push(Value::from(text));
        }
    }
    found
}

fn reading(text: &str, value: Value) -> Reading {
    let repair = Repair::replace(RepairKind::LoneValue, 0..text.len(), value.to_string());
    Reading { value, repairs: vec![repair] }
}
