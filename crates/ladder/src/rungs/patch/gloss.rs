//! A choice with a gloss behind it: `P1 - Critical` for `P1`.
//!
//! The gloss may say anything but another choice, a negation or a doubt: then nothing says which choice is meant.

use super::same_but_case;
use crate::prose::{is_doubtful, is_turning};
use serde_json::Value;

/// Marks between a choice and its gloss.
const MARKS: [&str; 6] = [" - ", " \u{2013} ", " \u{2014} ", ": ", " (", ", "];
/// More words are a sentence.
const MOST_WORDS: usize = 5;
/// Words that join two choices, or take the first one back.
const TURNS: [&str; 12] =
    ["or", "and", "but", "was", "were", "formerly", "pending", "if", "to", "then", "versus", "vs"];

/// Returns the choice that a text begins with, if the rest of it only describes that choice.
pub(super) fn glossed(text: &str, choices: &[&Value]) -> Option<Value> {
    let (at, mark) = MARKS.iter().filter_map(|mark| Some((text.find(mark)?, *mark))).min_by_key(|(at, _)| *at)?;
    let (head, gloss) = (text.get(..at)?, text.get(at + mark.len()..)?);
    let choice = same_but_case(head, choices)?;
    let words: Vec<String> = gloss
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '_' | '-')))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let names = |word: &String| choices.iter().any(|choice| choice.as_str().is_some_and(|c| c.to_lowercase() == *word));
    let turns = |word: &String| {
        TURNS.contains(&word.as_str()) || is_doubtful(word) || is_turning(word) || word.ends_with("n't") || names(word)
    };
    let is_plain = !gloss.contains(['?', '/', '|', ';']) && !words.is_empty() && words.len() <= MOST_WORDS;
    // A choice of several words may stand in the gloss as well.
    let others = choices.iter().filter_map(|other| other.as_str()).filter(|other| choice.as_str() != Some(*other));
    let holds_other = others.into_iter().any(|other| gloss.to_lowercase().contains(&other.to_lowercase()));
    (is_plain && !holds_other && !words.iter().any(turns)).then_some(choice)
}

#[cfg(test)]
mod tests {
    use super::glossed;
    use serde_json::{Value, json};

    #[test]
    fn glosses_are_told_from_other_choices() {
        let choices = [json!("P1"), json!("P2"), json!("open"), json!("closed")];
        let choices: Vec<&Value> = choices.iter().collect();
        assert_eq!(glossed("P1 - Critical", &choices), Some(json!("P1")));
        assert_eq!(glossed("open (waiting for parts)", &choices), None);
        assert_eq!(glossed("open: in the workshop", &choices), Some(json!("open")));
        for text in ["P1 - P2", "open - formerly closed", "P1 - or P2", "open - not really", "P1", "P1 - maybe"] {
            assert_eq!(glossed(text, &choices), None, "{text}");
        }
    }
}
