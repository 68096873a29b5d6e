//! The words of the pack in two prompts, compared.
//!
//! Only what the pack writes is compared: the head and the blocks of policy, tools and business. Evidence, memory, turns
//! and the message come from outside and are not repeated in a report.

use crate::prompt::STABLE;
use deed_model::CompiledPrompt;
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of characters of an excerpt.
const LONGEST: usize = 160;
/// The number of characters before the first difference that an excerpt shows.
const LEAD: usize = 40;

/// A part of the prompt that reads differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PromptChange {
    /// The part: `system`, `developer`, or the id of a block.
    pub part: String,
    /// The text around the first difference as recorded; `None` if the part is new.
    pub before: Option<String>,
    /// The same with the candidate; `None` if the part is gone.
    pub after: Option<String>,
}

/// The parts of a prompt that a pack writes: by what they are about, the id of the block and its text.
pub(super) type Words = BTreeMap<String, (String, String)>;

/// Collects the words of a prompt. Blocks are known by their bucket and their sources, because their ids are numbers
/// that move when another block is added. The version of the pack is left out: every version names itself, which is no
/// change of what it says.
pub(super) fn words(prompt: &CompiledPrompt<'_>, reference: &str) -> Words {
    let own = reference.split('@').next().unwrap_or(reference);
    let mut words = Words::new();
    // The first sentence of the system text names the pack.
    let system = prompt.system.replacen(reference, own, 1);
    for (name, text) in [("system", system), ("developer", prompt.developer.clone().into_owned())] {
        words.insert(name.to_owned(), (name.to_owned(), text));
    }
    for block in prompt.context_blocks.iter().filter(|block| STABLE.contains(&block.bucket)) {
        let sources = block.provenance_refs.iter().map(|source| if **source == *reference { own } else { &**source });
        let about = format!("{} {}", block.bucket, sources.collect::<Vec<_>>().join(" "));
        let key = match words.contains_key(&about) {
            true => format!("{about} {}", block.block_id),
            false => about,
        };
        words.insert(key, (block.block_id.clone().into_owned(), block.content.clone().into_owned()));
    }
    words
}

/// Returns the parts that read differently, in the order of their names.
pub(super) fn differences(old: &Words, new: &Words) -> Vec<PromptChange> {
    let mut changes = Vec::new();
    for (about, (part, before)) in old {
        match new.get(about) {
            Some((_, after)) if after == before => {}
            Some((part, after)) => {
                let from = common(before, after).saturating_sub(LEAD);
                changes.push(PromptChange {
                    part: part.clone(),
                    before: Some(excerpt(before, from)),
                    after: Some(excerpt(after, from)),
                });
            }
            None => changes.push(PromptChange { part: part.clone(), before: Some(excerpt(before, 0)), after: None }),
        }
    }
    for (about, (part, after)) in new {
        if !old.contains_key(about) {
            changes.push(PromptChange { part: part.clone(), before: None, after: Some(excerpt(after, 0)) });
        }
    }
    changes
}

/// Counts the characters that two texts begin with.
fn common(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Returns a part of a text in one line, with marks where it was cut.
fn excerpt(text: &str, from: usize) -> String {
    let lead = if from > 0 { "…" } else { "" };
    let part: String = text.chars().skip(from).take(LONGEST).map(|c| if c == '\n' { ' ' } else { c }).collect();
    let tail = if text.chars().nth(from + LONGEST).is_some() { "…" } else { "" };
    format!("{lead}{part}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(parts: &[(&str, &str)]) -> Words {
        parts
            .iter()
            .map(|(about, text)| ((*about).to_owned(), (format!("id of {about}"), (*text).to_owned())))
            .collect()
    }

    #[test]
    fn the_first_difference_is_shown_with_what_is_around_it() {
        let long = "x".repeat(100);
        let old = words(&[("a", &format!("{long} pay at once")), ("b", "same"), ("c", "gone")]);
        let new = words(&[("a", &format!("{long} ask first")), ("b", "same"), ("d", "new\nline")]);
        let changes = differences(&old, &new);
        let lead = "x".repeat(39);
        let change = |part: &str, before: Option<&str>, after: Option<&str>| PromptChange {
            part: format!("id of {part}"),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        assert_eq!(
            changes,
            [
                change("a", Some(&format!("…{lead} pay at once")), Some(&format!("…{lead} ask first"))),
                change("c", Some("gone"), None),
                change("d", None, Some("new line")),
            ]
        );
        assert!(differences(&old, &old).is_empty());
    }
}
