//! Sentences beside an object that say in plain words whether a boolean of it holds: `Yes, drum 14 is definitely hazardous
//! (UN1993)` beside `hazardous: false`.
//!
//! A sentence states it if the words of the key stand behind a verb, with adverbs at most between them, or are all that it
//! says. Questions, conditions, reported claims and lines that lead to the object state nothing, nor does a text that says
//! both.

use super::pattern::words_of;
use super::values::sentences;
use crate::embed::words;

/// First words of a key that ask for the rest of it: `is_hazardous`.
const ASKS: [&str; 8] = ["is", "are", "was", "were", "has", "have", "had", "can"];
/// Verbs behind which a state or a property stands.
const VERBS: [&str; 34] = [
    "is", "are", "was", "were", "be", "been", "isn't", "aren't", "wasn't", "weren't", "it's", "that's", "he's",
    "she's", "they're", "has", "have", "had", "hasn't", "haven't", "hadn't", "remains", "stays", "became", "becomes",
    "contains", "contain", "includes", "include", "needs", "need", "requires", "require", "got",
];
/// Words that deny what stands behind them.
const NEGATIONS: [&str; 11] =
    ["not", "never", "no", "none", "nothing", "neither", "nobody", "without", "cannot", "hardly", "nor"];
/// Words for which a sentence states nothing by itself.
const OPEN: [&str; 39] = [
    "whether",
    "if",
    "unless",
    "when",
    "once",
    "until",
    "asked",
    "asks",
    "ask",
    "should",
    "would",
    "could",
    "might",
    "may",
    "must",
    "will",
    "claim",
    "claims",
    "claimed",
    "alleges",
    "alleged",
    "thinks",
    "thought",
    "believes",
    "wonders",
    "only",
    "just",
    "but",
    "or",
    "either",
    "check",
    "checked",
    "determine",
    "determined",
    "decide",
    "flag",
    "field",
    "key",
    "although",
];
/// Adverbs and other words that may stand between a verb and a property.
const BETWEEN: [&str; 17] = [
    "not", "never", "no", "been", "also", "indeed", "in", "fact", "now", "still", "already", "always", "very", "quite",
    "a", "an", "longer",
];
/// Words that a sentence may have besides a property and no verb: `Definitely hazardous.`
const ALONE: [&str; 6] = ["yes", "no", "not", "never", "so", "it"];
/// More words of a key are a sentence of their own.
const MOST_WORDS: usize = 4;

/// Returns whether the prose states the opposite of a boolean, and nowhere what it has.
pub(crate) fn affirms_otherwise(parts: &[&str], key: &str, own: bool) -> bool {
    let name: Vec<String> = words(key).iter().map(|word| word.to_lowercase()).collect();
    let asks = name.len() > 1 && name.first().is_some_and(|first| ASKS.contains(&first.as_str()));
    let name = name.get(usize::from(asks)..).unwrap_or_default();
    if name.is_empty() || name.len() > MOST_WORDS || name.iter().all(|word| word.len() < 3) {
        return false;
    }
    let said: Vec<bool> =
        parts.iter().flat_map(|part| sentences(part)).filter_map(|sentence| stated(sentence, name)).collect();
    !said.is_empty() && said.iter().all(|said| *said != own)
}

/// What a sentence states of a property; none if it states nothing.
fn stated(sentence: &str, name: &[String]) -> Option<bool> {
    let sentence = sentence.trim();
    if sentence.contains(['?', '？', '{', '"', '“']) || sentence.trim_end_matches(['*', '`', ' ']).ends_with(':') {
        return None;
    }
    let plain = without_asides(sentence);
    let said = words_of(&plain);
    if said.iter().any(|word| OPEN.contains(&word.as_str())) {
        return None;
    }
    opposed(&said, name).or_else(|| affirmed(&said, name))
}

/// `is unpaid` denies `paid`.
fn opposed(said: &[String], name: &[String]) -> Option<bool> {
    let [property] = name else { return None };
    let opposites = ["un", "in", "non", "im", "ir"].map(|prefix| format!("{prefix}{property}"));
    let at = said.iter().position(|word| opposites.contains(word))?;
    let before = said.get(..at)?;
    let is_said = before.iter().any(|word| VERBS.contains(&word.as_str())) || at == 0;
    is_said.then(|| before.iter().any(|word| is_negation(word)))
}

fn affirmed(said: &[String], name: &[String]) -> Option<bool> {
    let at = said.windows(name.len()).position(|window| window == name)?;
    let before = said.get(..at)?;
    let rest = said.get(at + name.len()..)?;
    let is_adverb = |word: &String| BETWEEN.contains(&word.as_str()) || word.ends_with("ly");
    let between = before.iter().rev().take_while(|word| is_adverb(word)).count();
    let verb = before.len().checked_sub(between + 1).and_then(|at| before.get(at));
    let is_said = verb.is_some_and(|verb| VERBS.contains(&verb.as_str()));
    let may_stand_alone = |word: &String| ALONE.contains(&word.as_str()) || word.ends_with("ly");
    let is_alone = before.iter().chain(rest).all(may_stand_alone) && !before.is_empty();
    // `contains lithium` is a key whose own verb stands in the sentence.
    let has_verb = name.first().is_some_and(|first| VERBS.contains(&first.as_str())) && !before.is_empty();
    (is_said || is_alone || has_verb).then(|| !before.iter().any(|word| is_negation(word)))
}

fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// A sentence without what stands in brackets, or between two commas behind its first words.
fn without_asides(sentence: &str) -> String {
    let mut open = 0_usize;
    let mut plain = String::new();
    for c in sentence.chars() {
        match c {
            '(' | '[' => open += 1,
            ')' | ']' => open = open.saturating_sub(1),
            _ if open == 0 => plain.push(c),
            _ => {}
        }
    }
    let parts: Vec<&str> = plain.split(',').collect();
    match parts.as_slice() {
        [first, _, rest @ ..] if !rest.is_empty() && first.contains(' ') => format!("{first} {}", rest.join(" ")),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::affirms_otherwise;

    #[test]
    fn plain_statements_are_told_from_questions_and_conditions() {
        for (text, key, own) in [
            ("Yes, drum 14 is definitely hazardous (UN1993).", "hazardous", false),
            ("The drum (UN1993) is clearly hazardous.", "is_hazardous", false),
            ("The drum is not hazardous at all.", "hazardous", true),
            ("Definitely hazardous.", "hazardous", false),
            ("The invoice was, according to the bank, fully paid.", "paid", false),
            ("Order 7 remains unpaid.", "paid", true),
            ("The parcel contains lithium.", "contains_lithium", false),
        ] {
            assert!(affirms_otherwise(&[text], key, own), "{text}");
            assert!(!affirms_otherwise(&[text], key, !own), "{text}");
        }
        for text in [
            "Is the drum hazardous?",
            "I checked whether the drum is hazardous.",
            "The customer claims it is hazardous.",
            "Hazardous:",
            "Hazardous goods need a label.",
            "One drum is hazardous. This one is not hazardous.",
            "It would be hazardous if it leaked.",
        ] {
            assert!(!affirms_otherwise(&[text], "hazardous", false), "{text}");
        }
    }
}
