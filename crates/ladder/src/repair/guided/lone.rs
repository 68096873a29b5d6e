//! A single word, number or literal as the whole payload, with or without a label before it.
//!
//! A sentence is text too. So a word counts only where the schema tells words apart; the judge is asked with a text that
//! no schema means.

use super::{Judge, NO_WORD};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::marks::{Reasoning, fence_end, reasoning};
use serde_json::Value;

/// Longer than any word or number that answers a question by itself.
const LONGEST: usize = 120;

/// The readings of a text that is one value, or a label and one value.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let answer = unfenced(past_reasoning(text));
    let quoted = deed_canon::parse(answer.as_bytes()).ok().filter(|value| value.is_string() && answer != text);
    if let Some(value) = quoted {
        let repair = Repair::replace(RepairKind::LoneValue, 0..text.len(), value.to_string());
        return vec![Reading { value, repairs: vec![repair] }];
    }
    let plain = on_one_line(&without_end(answer).replace("**", ""));
    let bare = stripped(&plain);
    if bare.is_empty() || bare.len() > LONGEST || bare.contains(['\n', '{', '}', '[', ']', '<', '>']) {
        return Vec::new();
    }
    let labelled = bare.split_once(": ").map(|(_, value)| stripped(value)).filter(|value| !value.is_empty());
    let spans = [Some(bare), labelled, said(bare), lettered(bare)];
    // A lead-in is not an answer.
    if bare.ends_with([':', '：']) {
        return Vec::new();
    }
    // A list or an object of one text takes any word.
    let no_word = Value::from(NO_WORD);
    let tells_words_apart = !judge.allows(&no_word) && !judge.accepts(&no_word);
    let mut readings = Vec::new();
    for part in spans.into_iter().flatten() {
        let word = tells_words_apart.then(|| Value::from(part));
        let of_key = of_only_key(part, judge);
        let values = [literal(part), word, answered(part), agreed(part), of_key, confirmed(part, judge)];
        for value in values.into_iter().flatten() {
            let repair = Repair::replace(RepairKind::LoneValue, 0..text.len(), value.to_string());
            readings.push(Reading { value, repairs: vec![repair] });
        }
    }
    readings
}

/// The text behind the blocks in which a model reasons before it answers; all of it if one is never closed.
fn past_reasoning(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some(Reasoning::Until(end)) = reasoning(rest, 0) {
        rest = rest.get(end..).unwrap_or_default().trim();
    }
    rest
}

/// The text inside the one fence that stands around all of it.
fn unfenced(text: &str) -> &str {
    let Some(end) = fence_end(text.as_bytes(), 0) else { return text };
    let inner = text.get(end..).and_then(|rest| rest.strip_suffix("```"));
    inner.filter(|inner| inner.starts_with('\n') && !inner.contains("```")).map_or(text, str::trim)
}

/// A text without the token by which a chat template ends an answer.
fn without_end(text: &str) -> &str {
    const ENDS: [&str; 6] = ["<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end|>", "<end_of_turn>", "</s>"];
    ENDS.iter().find_map(|end| text.trim_end().strip_suffix(end)).unwrap_or(text)
}

/// A short label on a line of its own, put before the value on the next: `Result:`, `True`.
fn on_one_line(text: &str) -> String {
    let parts = text.trim().split_once('\n').map(|(label, value)| (label.trim(), value.trim()));
    match parts {
        Some((label, value)) if label.ends_with(':') && label.split_whitespace().count() <= 3 => {
            format!("{label} {value}")
        }
        _ => text.to_owned(),
    }
}

/// Words that take a value back.
pub(super) const TAKE_BACK: [&str; 25] = [
    "not",
    "never",
    "if",
    "no",
    "isn't",
    "or",
    "wrong",
    "unless",
    "avoid",
    "incorrect",
    "least",
    "worst",
    "except",
    "opposite",
    "excluded",
    "false",
    "neither",
    "nor",
    "maybe",
    "perhaps",
    "might",
    "could",
    "previous",
    "old",
    "example",
];

/// The value of `The answer is B` and `Result = 42`: a short label without a word that takes it back.
fn said(text: &str) -> Option<&str> {
    const LABELS: [&str; 9] = ["the", "my", "final", "answer", "result", "label", "option", "choice", "category"];
    let (label, value) = match text.split_once(" = ").or_else(|| text.strip_prefix("= ").map(|value| ("result", value)))
    {
        Some(parts) => parts,
        None => text.rsplit_once(" is ").or_else(|| {
            let (label, value) = text.split_once(' ')?;
            (LABELS.contains(&label.to_lowercase().as_str()) && value.chars().count() == 1).then_some((label, value))
        })?,
    };
    let words: Vec<String> = label.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let leads = words.first().is_some_and(|first| LABELS.contains(&first.as_str())) || text.contains(" = ");
    // A label is no sentence of its own.
    let ends = [". ", "! ", "; "].iter().any(|end| label.contains(end));
    let sound = !ends && (1..=6).contains(&words.len()) && !words.iter().any(|word| TAKE_BACK.contains(&word.as_str()));
    (leads && sound).then(|| stripped(value)).filter(|value| !value.is_empty())
}

/// The letter of `C. Paris` or `C: Paris`, where no other letter stands behind it.
fn lettered(text: &str) -> Option<&str> {
    let (letter, rest) = text.split_once([' ', '\t'])?;
    let letter = letter.strip_suffix(['.', ':', ')'])?;
    let single = letter.chars().count() == 1 && letter.chars().all(|c| c.is_ascii_uppercase());
    let another = rest.split(|c: char| !c.is_alphanumeric()).any(|word| word.chars().count() == 1);
    let hedged =
        rest.split_whitespace().any(|word| ["or", "and", "not", "but"].contains(&word.to_lowercase().as_str()));
    (single && !another && !hedged).then_some(letter)
}

/// A word as the value of the only key of an object, where the schema tells words apart.
fn of_only_key(text: &str, judge: &dyn Judge) -> Option<Value> {
    let key = judge.only_key()?;
    let object = |text: &str| Value::Object(std::iter::once((key.clone(), Value::from(text))).collect());
    let takes = |value: &Value| judge.allows(value) || judge.accepts(value);
    (!takes(&object(NO_WORD)) && takes(&object(text))).then(|| object(text))
}

/// `Yes, the parcel contains lithium batteries` as the answer to the question in the description of a boolean: it has the
/// words of the question and no others, and denies nothing that it affirms.
fn confirmed(text: &str, judge: &dyn Judge) -> Option<Value> {
    const PLAIN: [&str; 22] = [
        "the", "a", "an", "it", "this", "that", "is", "are", "was", "were", "does", "do", "did", "has", "have", "of",
        "in", "on", "to", "for", "any", "there",
    ];
    let question = judge.question().filter(|question| question.trim_end().ends_with('?'))?.to_lowercase();
    let (word, rest) = text.split_once(", ")?;
    let yes = match word.to_lowercase().as_str() {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (asked, said) = (split(&question), split(&rest.replace('\u{2019}', "'")));
    let denies = |word: &String| word == "not" || word == "no" || word.ends_with("n't");
    let stem = |word: &str| word.trim_end_matches('s').to_owned();
    let known = |word: &String| {
        denies(word) || PLAIN.contains(&word.as_str()) || asked.iter().any(|asked| stem(asked) == stem(word))
    };
    let own = asked.iter().filter(|word| !PLAIN.contains(&word.as_str()));
    let has_all = own.into_iter().all(|word| said.iter().any(|said| stem(said) == stem(word)));
    let denied = said.iter().filter(|word| denies(word)).count();
    let agrees = denied == usize::from(!yes) && !asked.iter().any(denies);
    (said.len() > 1 && has_all && agrees && said.iter().all(known)).then_some(Value::Bool(yes))
}

/// `Yes` and `No` by themselves.
fn agreed(text: &str) -> Option<Value> {
    match text.to_lowercase().as_str() {
        "yes" => Some(Value::Bool(true)),
        "no" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// `Yes, it is`: the answer to a question in a short sentence.
fn answered(text: &str) -> Option<Value> {
    let (word, rest) = text.split_once(", ")?;
    let yes = match word.to_lowercase().as_str() {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    let words: Vec<String> = rest.to_lowercase().replace('’', "'").split_whitespace().map(str::to_owned).collect();
    let subject = ["it", "he", "she", "they", "this", "that", "there", "we", "i", "you"];
    let verbs = ["is", "are", "was", "were", "does", "do", "did", "has", "have", "can", "will", "would", "should"];
    let (Some(first), Some(verb)) = (words.first(), words.get(1)) else { return None };
    let negated = words.get(2).is_some_and(|word| word == "not") || verb.ends_with("n't") || verb == "cannot";
    let known = verbs.contains(&verb.as_str()) || verb.ends_with("n't") || verb == "cannot";
    let length = words.len() - usize::from(words.get(2).is_some_and(|word| word == "not"));
    (subject.contains(&first.as_str()) && known && length == 2 && !(yes && negated)).then_some(Value::Bool(yes))
}

/// A text without the marks that may stand around an answer.
fn stripped(text: &str) -> &str {
    let marks =
        |c: char| c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'' | '“' | '”' | '\u{feff}' | '\u{200b}');
    let inner = text.trim_matches(marks);
    let inner = inner.strip_prefix("json\n").or_else(|| inner.strip_prefix("text\n")).unwrap_or(inner);
    let inner = inner.trim_matches(marks);
    let inner = inner.trim_start_matches("#### ").trim_start_matches("### ");
    let inner = inner.strip_prefix('$').and_then(|rest| rest.strip_suffix('$')).unwrap_or(inner);
    let worded = inner.strip_suffix('!').filter(|word| word.ends_with(char::is_alphabetic));
    let inner = worded.or_else(|| inner.strip_suffix('.')).unwrap_or(inner).trim_matches(marks);
    // `(B)` and `B)` mark a choice.
    let paired = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    // A number in brackets is negative in accounts.
    let paired = paired.filter(|choice| !choice.starts_with(|c: char| c.is_ascii_digit()));
    let lettered = inner.strip_suffix(')').filter(|letter| letter.chars().count() == 1);
    paired.or(lettered).map_or(inner, |choice| choice.trim_matches(marks))
}

/// Returns whether a text without quotes is what a program printed in the place of a value that it did not have.
pub(super) fn is_unset(text: &str) -> bool {
    matches!(text, "undefined" | "NaN" | "nan" | "NAN" | "#N/A")
}

/// Returns whether digits may be a whole number whose point groups them, or a fraction of nothing: `1.000`.
pub(super) fn is_open_thousand(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = digits.strip_suffix(".000").filter(|whole| (1..=3).contains(&whole.len()));
    whole.is_some_and(|whole| whole != "0" && whole.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The number, boolean or null that a text is, in JSON, Python or a dump.
pub(super) fn literal(text: &str) -> Option<Value> {
    match text {
        "True" | "TRUE" => return Some(Value::Bool(true)),
        "False" | "FALSE" => return Some(Value::Bool(false)),
        "None" | "NULL" | "Null" | "nil" => return Some(Value::Null),
        // YAML, dumps of databases, and what programs print for a missing value.
        "~" | "\\N" | "(null)" | "<null>" => return Some(Value::Null),
        _ => {}
    }
    deed_canon::parse(text.as_bytes()).ok().filter(|value| value.is_number() || value.is_boolean() || value.is_null())
}
