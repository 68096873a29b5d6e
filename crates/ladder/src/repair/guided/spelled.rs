//! Literals of Python in the place of text: `"title": True` where only a text may stand, `"pain": None` where `none` is a
//! choice.
//!
//! `None` says that there is no value, so it is text only where the schema has a choice of that name.

use super::{Judge, NO_WORD};
use crate::repair::candidate::Candidate;
use crate::repair::edit::{Repair, apply};
use crate::repair::kind::RepairKind;
use crate::repair::strict;
use serde_json::Value;

/// The candidate in which one literal of Python is a text, if the schema takes it so and not as it was read.
pub(super) fn spelled(text: &str, candidate: &Candidate, judge: &dyn Judge) -> Vec<Candidate> {
    let takes = |candidate: &Candidate| judge.allows(&candidate.value) || judge.accepts(&candidate.value);
    let is_open = |repair: &Repair| {
        repair.kind == RepairKind::ForeignLiteral && ["True", "False", "None"].contains(&repair.removed(text))
    };
    if !candidate.script.iter().any(is_open) || takes(candidate) {
        return Vec::new();
    }
    let places = candidate.script.iter().enumerate().filter(|(_, repair)| is_open(repair));
    let found = places.filter_map(|(index, repair)| {
        let word = repair.removed(text);
        let with = |word: &str| {
            let mut script = candidate.script.clone();
            let edit = script.get_mut(index)?;
            *edit = Repair::replace(RepairKind::BarePhrase, edit.at(), Value::from(word).to_string());
            let value = strict::parse(&apply(text, candidate.span.clone(), &script)).ok()?;
            Some(Candidate { span: candidate.span.clone(), script, value, loose: candidate.loose })
        };
        let is_any_text = || with(NO_WORD).is_some_and(|free| takes(&free));
        let read = with(word).filter(takes)?;
        (word != "None" || !is_any_text()).then_some(read)
    });
    found.collect()
}
