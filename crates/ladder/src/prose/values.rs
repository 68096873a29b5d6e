//! Prose that gives a key a value: `mode: safe`, `the limit is 5`.

use crate::embed::words;
use crate::naming::{same_but_style, same_words};
use serde_json::Value;

/// The words that give what stands before them a value.
const GIVES: [&str; 12] = ["is", "are", "was", "to", "as", "should", "must", "set", "be", "remains", "stays", "equals"];
/// The words that give it one where a number follows.
const GIVES_NUMBER: [&str; 4] = ["of", "at", "by", "up"];
/// The labels of prose, which are no keys there.
const LABELS: [&str; 9] = ["note", "notes", "result", "answer", "output", "response", "explanation", "example", "data"];

/// Whether a text names a key and writes a value behind it, as members and settings do.
pub(crate) fn writes_value_of(text: &str, key: &str) -> bool {
    let is_label = LABELS.iter().any(|label| same_but_style(label, key));
    let written = |rest: &str| {
        let rest = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
        rest.strip_prefix([':', '=']).is_some_and(|value| !value.trim().is_empty())
    };
    let gives = |sentence: &str| {
        mentions(sentence, key).into_iter().any(|end| written(sentence.get(end..).unwrap_or_default()))
    };
    !is_label && sentences(text).any(gives)
}

/// Whether a text writes a value behind the name of a key that is not this boolean, number or choice.
pub(crate) fn writes_another(text: &str, key: &str, own: &Value, choices: &[&Value]) -> bool {
    let another = |sentence: &str, end: usize| {
        let rest = sentence.get(end..).unwrap_or_default();
        !is_operand(sentence, end, key) && given_text(rest).is_some_and(|given| differs(given, own, choices))
    };
    sentences(text).any(|sentence| mentions(sentence, key).into_iter().any(|end| another(sentence, end)))
}

/// Words that deny one another.
const OPPOSITES: [(&str, &str); 20] = [
    ("granted", "denied"),
    ("granted", "refused"),
    ("approved", "rejected"),
    ("approved", "declined"),
    ("approved", "denied"),
    ("accepted", "rejected"),
    ("accepted", "declined"),
    ("paid", "unpaid"),
    ("valid", "invalid"),
    ("active", "inactive"),
    ("open", "closed"),
    ("passed", "failed"),
    ("enabled", "disabled"),
    ("available", "unavailable"),
    ("eligible", "ineligible"),
    ("allowed", "forbidden"),
    ("present", "absent"),
    ("successful", "failed"),
    ("won", "lost"),
    ("online", "offline"),
];

/// Returns whether a sentence says the opposite of a boolean: `the application was denied` beside `granted: true`.
pub(crate) fn says_opposite(text: &str, key: &str, own: bool) -> bool {
    const VERBS: [&str; 10] = ["is", "was", "are", "were", "been", "be", "has", "have", "got", "remains"];
    const NEGATIONS: [&str; 6] = ["not", "no", "never", "isn't", "wasn't", "if"];
    let key_words: Vec<String> = words(key).iter().map(|word| word.to_lowercase()).collect();
    let opposite = |word: &str| {
        OPPOSITES.iter().any(|(yes, no)| {
            let names = |name: &str| key_words.last().is_some_and(|last| last == name);
            names(yes) && word == if own { *no } else { *yes } || names(no) && word == if own { *yes } else { *no }
        })
    };
    sentences(text).any(|sentence| {
        let said: Vec<String> =
            sentence.split(|c: char| !(c.is_alphanumeric() || c == '\'')).map(str::to_lowercase).collect();
        let said: Vec<&str> = said.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        let states = |pair: &[&str]| matches!(pair, [verb, word] if VERBS.contains(verb) && opposite(word));
        // A negation behind it belongs to a reason: `declined, because it could not be verified`.
        let said_at = said.windows(2).position(states);
        said_at.is_some_and(|at| !said.iter().take(at).any(|word| NEGATIONS.contains(word)))
    })
}

/// Returns whether a text counts what a key names, and counts another number: `Mara won with 54 votes` beside `votes: 45`.
/// A text that also has the key's own number compares or adds up, and decides nothing.
pub(crate) fn counts_another(text: &str, key: &str, own: &Value) -> bool {
    let Some(own) = own.as_f64() else { return false };
    let parts: Vec<&str> = text.split_whitespace().collect();
    let number = |part: &str| {
        let digits = part.trim_matches(|c: char| !c.is_ascii_digit() && c != '-').replace(',', "");
        let is_plain = part.trim_matches(|c: char| !c.is_alphanumeric()).chars().all(|c| !c.is_alphabetic());
        digits.parse::<f64>().ok().filter(|_| is_plain)
    };
    let is_own = |part: &&str| number(part).is_some_and(|found| (found - own).abs() < f64::EPSILON);
    // The last word of a name is often its unit: `scadenza_giorni`.
    let unit = words(key).last().map(|word| word.to_lowercase()).filter(|word| word.len() > 3);
    let named = |part: &str| {
        let name = part.trim_matches(|c: char| !c.is_alphanumeric());
        same_words(name, key) || unit.as_deref() == Some(name.to_lowercase().as_str())
    };
    let in_words = |part: &str| number_in_words(&part.to_lowercase()).is_some_and(|found| found != own);
    let counts = |pair: &[&str]| match pair {
        [count, name] => (number(count).is_some() || in_words(count)) && named(name),
        _ => false,
    };
    !parts.iter().any(is_own) && parts.windows(2).any(counts)
}

/// A small number in words, in the languages of most answers.
fn number_in_words(word: &str) -> Option<f64> {
    const WORDS: [(&str, f64); 11] = [
        ("two zwei deux dos", 2.0),
        ("three drei trois tres tre", 3.0),
        ("four vier quatre cuatro quattro", 4.0),
        ("five f\u{fc}nf cinq cinco cinque", 5.0),
        ("six sechs seis", 6.0),
        ("seven sieben sept siete sette", 7.0),
        ("eight acht huit ocho otto", 8.0),
        ("nine neun neuf nueve nove", 9.0),
        ("ten zehn dix diez dieci", 10.0),
        ("eleven elf onze undici", 11.0),
        ("twelve zw\u{f6}lf douze doce dodici", 12.0),
    ];
    WORDS.iter().find(|(words, _)| words.split(' ').any(|known| known == word)).map(|(_, number)| *number)
}

/// Whether a sentence decides for another of some choices: `my final decision is to reject`.
pub(crate) fn decides_otherwise(text: &str, own: &str, choices: &[&Value]) -> bool {
    const DECIDES: [&str; 16] = [
        "final",
        "finally",
        "decision",
        "verdict",
        "conclusion",
        "conclude",
        "should",
        "marked",
        "mark",
        "classified",
        "changed",
        "change",
        "recommendation",
        "decide",
        "decided",
        "instead",
    ];
    let runs = |text: &str| -> Vec<String> {
        let words =
            text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    sentences(text).any(|sentence| {
        let words = runs(sentence);
        let says = |choice: &str| choice.len() > 2 && words.iter().any(|word| same_words(word, choice));
        let another =
            || choices.iter().filter_map(|choice| choice.as_str()).any(|choice| choice != own && says(choice));
        words.iter().any(|word| DECIDES.contains(&word.as_str())) && another() && !says(own)
    })
}

/// Returns whether a sentence names a key and another of its choices, and not its own: `The severity is clearly high` beside
/// `severity: low`.
pub(crate) fn names_another(text: &str, key: &str, own: &str, choices: &[&Value]) -> bool {
    let says = |sentence: &str, choice: &str| choice.len() > 2 && !mentions(sentence, choice).is_empty();
    let others = || choices.iter().filter_map(|choice| choice.as_str()).filter(|choice| *choice != own);
    sentences(text).any(|sentence| {
        !mentions(sentence, key).is_empty()
            && !says(sentence, own)
            && others().any(|choice| !says(own, choice) && !says(key, choice) && says(sentence, choice))
    })
}

/// Whether a name stands behind an operator, as `y` does in `x - y = 2`.
fn is_operand(sentence: &str, end: usize, key: &str) -> bool {
    let before = sentence.get(..end.saturating_sub(key.len())).unwrap_or_default().trim_end();
    let operand = before.trim_end_matches(['+', '-', '*', '/', '^', '%', '<', '>', '=']);
    let operated = operand.len() < before.len();
    operated && operand.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']'))
}

/// The text that stands as a value behind a name, after a mark or a verb.
fn given_text(rest: &str) -> Option<&str> {
    let marks = ['"', '\'', '`', '*', ' ', '\t'];
    let rest = rest.trim_start_matches(marks);
    if let Some(value) = rest.strip_prefix([':', '=', '→', '：']).or_else(|| rest.strip_prefix("->")) {
        return Some(value.trim_start_matches(marks));
    }
    let verbs = [
        "must be ",
        "should be ",
        "should have been ",
        "has to be ",
        "have to be ",
        "needs to be ",
        "ought to be ",
        "is actually ",
        "was actually ",
        "is really ",
        "should actually be ",
        "must actually be ",
        "is now ",
        "changes to ",
        "changed to ",
        "becomes ",
        "is ",
        "are ",
        "was ",
        "were ",
        "equals ",
        "to ",
        "should read ",
        "must read ",
        "is set to ",
        "should be set to ",
        "must be set to ",
    ];
    let lower = rest.to_lowercase();
    let verb = verbs.iter().filter(|verb| lower.starts_with(**verb)).max_by_key(|verb| verb.len())?;
    rest.get(verb.len()..).map(|value| value.trim_start_matches(marks))
}

/// Whether a text begins with a value of the same kind as another, and not with that value.
fn differs(given: &str, own: &Value, choices: &[&Value]) -> bool {
    let word: String = given.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
    match own {
        Value::Bool(own) => match word.to_lowercase().as_str() {
            "true" | "yes" | "on" => !own,
            "false" | "no" | "off" => *own && !given.to_lowercase().starts_with("no "),
            _ => false,
        },
        Value::Number(own) => {
            let negative = ["minus ", "negative "].iter().find_map(|sign| given.strip_prefix(sign));
            let number = negative.unwrap_or(given).trim_start_matches(['$', '€', '£', ' ']);
            let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | ',');
            let digits: String = number.chars().take_while(|c| is_part(*c)).collect();
            let digits = digits.trim_end_matches(['.', ',']);
            let rest = number.get(digits.len()..).unwrap_or_default().trim_start();
            let is_currency = rest.split_whitespace().next().is_some_and(|word| {
                let code = word.trim_end_matches(['.', ',', ';', ')', '!']);
                (code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()))
                    || ["€", "$", "£"].contains(&code)
            });
            // A number in words is one where nothing that it counts stands behind it.
            let named = number_in_words(&word.to_lowercase()).filter(|_| {
                let behind = given.get(word.len()..).unwrap_or_default();
                behind.trim().is_empty() || behind.starts_with([',', '.', ';', ')', '!'])
            });
            if let Some(named) = named {
                return own.as_f64().is_some_and(|own| (own - named).abs() > f64::EPSILON);
            }
            let alone = rest.is_empty()
                || is_currency
                || rest.starts_with(['.', ',', ';', ')', '!', '}', ']', '"', '\'', '`', '|'])
                || ["instead", "not", "and", "or", "because", "but", "since"].iter().any(|word| rest.starts_with(word));
            let plain = digits.replace(',', "");
            let sign = if negative.is_some() { -1.0 } else { 1.0 };
            let value = plain.parse::<f64>().ok().map(|value| sign * value).filter(|_| alone && !digits.is_empty());
            value.is_some_and(|value| own.as_f64().is_some_and(|own| own.to_bits() != value.to_bits() && own != value))
        }
        Value::String(own) => {
            let text = given.split([',', '}', ';', '.', '"', '\'', '`', '\n', '(']).next().unwrap_or_default().trim();
            let says = |choice: &str| same_words(text, choice) || same_words(&word, choice);
            !says(own) && choices.iter().any(|choice| choice.as_str().is_some_and(says))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// The parts of a text that are sentences or lines.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.split(". ")).flat_map(|line| line.split("! ")).filter(|line| !line.is_empty())
}

/// The places behind the name of a key: as one name in any style, or as words of a sentence.
pub(crate) fn mentions(text: &str, key: &str) -> Vec<usize> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut runs: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    for run in text.split(|c: char| !is_name(c)) {
        if !run.is_empty() {
            runs.push((run, at + run.len()));
        }
        at += run.len() + text.get(at + run.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    let count = words(key).len().max(1);
    let one = runs.iter().filter(|(run, _)| same_but_style(run, key)).map(|(_, end)| *end);
    let several = runs.windows(count).filter(|window| {
        let joined: Vec<&str> = window.iter().map(|(run, _)| *run).collect();
        count > 1 && same_but_style(&joined.join(" "), key)
    });
    one.chain(several.filter_map(|window| window.last().map(|(_, end)| *end))).collect()
}

/// Whether what follows a name gives it a value.
pub(crate) fn is_given(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
    if let Some(value) = rest.strip_prefix([':', '=', '→', '：']).or_else(|| rest.strip_prefix("->")) {
        // A colon at the end leads to what follows, which is the value itself.
        return !value.trim_matches(['*', '`', ' ', '\t', '\r']).is_empty();
    }
    let mut following = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (following.next().unwrap_or_default(), following.next().unwrap_or_default());
    let number = second.starts_with(|c: char| c.is_ascii_digit());
    GIVES.iter().any(|word| first.eq_ignore_ascii_case(word))
        || (number && GIVES_NUMBER.iter().any(|word| first.eq_ignore_ascii_case(word)))
}
