//! Words of an `enum` with blanks between them, where a list of them is asked for: `[repo gist]`, `linux/amd64
//! linux/arm64`.
//!
//! The choices make the split certain: each word is one of them, and no two words that stand side by side are one
//! together.

use super::{Judge, NO_WORD};
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::candidate::Candidate;
use crate::repair::edit::{Repair, apply};
use crate::repair::kind::RepairKind;
use crate::repair::strict;
use serde_json::Value;

/// More words are prose.
const MOST: usize = 24;

/// The readings of a text that is nothing but choices.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let told_apart = || !judge.allows(&Value::from(vec![NO_WORD]));
    if !(2..=MOST).contains(&words.len()) || text.contains(['{', '[', '"', ',', ':']) || !told_apart() {
        return Vec::new();
    }
    let reading = |items: Vec<String>| {
        let value = Value::from(items);
        let repair = Repair::replace(RepairKind::ListAdded, 0..text.len(), value.to_string());
        Reading { value, repairs: vec![repair] }
    };
    splits(&words).into_iter().map(reading).filter(|reading| judge.allows(&reading.value)).collect()
}

/// The candidates that a candidate becomes where its phrases in brackets are taken apart.
pub(super) fn taken_apart(text: &str, candidate: &Candidate, judge: &dyn Judge) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (index, repair) in candidate.script.iter().enumerate() {
        let phrase = repair.removed(text);
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let alone = excerpt(text, ..repair.at().start).trim_end().ends_with('[')
            && excerpt(text, repair.at().end..).trim_start().starts_with(']');
        if repair.kind != RepairKind::BarePhrase || !alone || !(2..=MOST).contains(&words.len()) {
            continue;
        }
        let written = |items: &[String]| -> String {
            items.iter().map(|item| Value::from(item.as_str()).to_string()).collect::<Vec<_>>().join(",")
        };
        let with = |items: &[String]| {
            let mut script = candidate.script.clone();
            if let Some(edit) = script.get_mut(index) {
                *edit = Repair::replace(RepairKind::MissingComma, edit.at(), written(items));
            }
            let value = strict::parse(&apply(text, candidate.span.clone(), &script)).ok()?;
            Some(Candidate { span: candidate.span.clone(), script, value, loose: candidate.loose })
        };
        // Where any text may be an item, a phrase is one item.
        let told_apart = with(&[NO_WORD.to_owned()]).is_some_and(|free| !judge.allows(&free.value));
        if told_apart {
            let allowed = |apart: &Candidate| judge.allows(&apart.value);
            candidates.extend(splits(&words).iter().filter_map(|items| with(items)).filter(allowed));
        }
    }
    candidates
}

/// All words apart, and all words but some neighbours that may be one choice together.
fn splits(words: &[&str]) -> Vec<Vec<String>> {
    let mut splits = vec![words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()];
    for (index, pair) in words.windows(2).enumerate() {
        let mut items: Vec<String> = words.iter().take(index).map(|word| (*word).to_owned()).collect();
        items.push(pair.join(" "));
        items.extend(words.iter().skip(index + 2).map(|word| (*word).to_owned()));
        splits.push(items);
    }
    splits
}
