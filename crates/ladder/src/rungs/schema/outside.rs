//! Text around the value: prose that disowns it, and values that are written outside it.

use super::Repaired;
use crate::climb::{Finding, Findings};
use crate::embed::words;
use crate::excerpt::excerpt;
use crate::naming::same_but_style;
use crate::prose::{
    Announced, Disowned, Remark, Surroundings, adds_up_to_another, affirms_otherwise, announced, chooses_another,
    counts_another, dates_another, decides_otherwise, disowned, fills_gap, is_doubtful, names_another, numbers_another,
    recounted, remark, says_opposite, sentences, writes_another, writes_value_of,
};
use crate::repair::{Repair, RepairKind, is_other_variable, read};
use deed_diag::{codes, quote};
use deed_imprint::ExpectedKey;
use deed_model::Rung;
use serde_json::Value;

/// Sentences behind a list in which a number of its entries is looked for.
const MOST_RECOUNTED: usize = 8;
/// Tags that strike out what they hold, or say that it is another value than the answer.
const STRUCK: [&str; 9] =
    ["<s>", "<del>", "<strike>", "<draft>", "<example>", "<sample>", "<old>", "<previous>", "<template>"];

/// Refuses a text with prose beside the value, for contracts that take none.
pub(super) fn refuse_prose(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let is_prose = |repair: &&Repair| matches!(repair.kind, RepairKind::ProseBefore | RepairKind::ProseAfter);
    let Some(prose) = repaired.repairs.iter().find(is_prose) else { return };
    let words = prose.removed(repaired.text).trim();
    let words = if findings.may_quote() { format!(": {}", quote(words)) } else { String::new() };
    let message = format!("there is text beside the value at byte {}{words}", prose.at().start);
    let help = "answer with the JSON value alone; the contract says `prose: refuse`";
    findings.add(Finding::blocking(Rung::L0, codes::PROSE_BESIDE_VALUE, "", message).help(help));
}

/// Refuses a payload whose surroundings say that it is not the answer.
pub(super) fn refuse_disowned(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let Repaired { ladder, text, repairs, payload } = repaired;
    let struck = repairs.iter().find(|repair| {
        let tag = repair.removed(text).to_lowercase();
        repair.kind == RepairKind::WrapperTag && STRUCK.contains(&tag.as_str())
    });
    let value =
        repairs.iter().filter(|repair| repair.kind == RepairKind::ProseBefore).map(|repair| repair.at().end).max();
    // Reasoning behind the value may find it wrong; before the value it led to it.
    let struck = struck.or_else(|| {
        let is_behind = |repair: &&Repair| {
            let before = excerpt(text, ..repair.at().start).trim_end();
            repair.kind == RepairKind::Reasoning
                && before.ends_with(['}', ']', '`'])
                && value.is_none_or(|end| end <= repair.at().start)
        };
        repairs.iter().filter(is_behind).find(|repair| {
            let words = repair.removed(text);
            let inner = words.split_once('>').map_or(words, |(_, rest)| rest);
            let inner = inner.rsplit_once("</").map_or(inner, |(inner, _)| inner);
            sentences(inner).any(is_found_wrong)
        })
    });
    let struck = struck.or_else(|| {
        let is_other = |repair: &&Repair| {
            let words = repair.removed(text).trim_end();
            let line = words.rsplit('\n').next().unwrap_or(words);
            let is_crossed = line.trim_end_matches([' ', ':', '*']).ends_with(['❌', '✗', '✘', '🚫', '👎', '⛔']);
            repair.kind == RepairKind::ProseBefore
                && (is_crossed || line.ends_with("==") || (line.ends_with('=') && is_other_variable(line)))
        };
        repairs.iter().find(is_other)
    });
    let aside = repairs.iter().filter(|repair| repair.kind == RepairKind::OtherValue).find(|repair| {
        let aside = repair.removed(text).trim();
        let inner = aside.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
        let is_words = !inner.is_empty() && inner.chars().all(|c| c.is_alphabetic() || c == ' ');
        is_words && remark(inner) != Remark::Harmless
    });
    let found = match struck.or(aside) {
        Some(tag) => Some(Disowned::Withdrawn(tag.removed(text).to_owned())),
        None => {
            let mut topics = Vec::new();
            words_in(payload, &mut topics);
            let is_topic = |word: &str| topics.iter().any(|topic| shares_stem(topic, word));
            let keys = ladder.imprint.expected().keys(payload);
            let is_empty = |value: &Value| match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(items) => items.is_empty(),
                Value::Object(map) => map.is_empty(),
                Value::Bool(_) | Value::Number(_) => false,
            };
            let gaps = keys.iter().filter(|key| payload.get(key.name).is_none_or(is_empty));
            let gaps: Vec<String> = gaps.flat_map(|key| words(key.name)).map(|word| word.to_lowercase()).collect();
            let is_gap = |word: &str| gaps.iter().any(|gap| shares_stem(gap, word));
            let holds_nothing = matches!(payload, Value::Object(_) | Value::Array(_)) && is_empty(payload);
            let around = Surroundings { empty: holds_nothing, ..surroundings(text, repairs) };
            disowned(around, &is_topic, &is_gap)
        }
    };
    let Some(found) = found else { return };
    let quoted = |words: &str| if findings.may_quote() { quote(words) } else { "words around it".to_owned() };
    let message = found.message(quoted);
    let help = "answer with one JSON value, and without a sentence that may take it back";
    findings.add(Finding::blocking(Rung::L0, codes::VALUE_DISOWNED, "", message).help(help));
}

/// Returns whether a sentence of reasoning finds the value before it wrong.
fn is_found_wrong(sentence: &str) -> bool {
    const WRONG: [&str; 12] = [
        "wrong",
        "incorrect",
        "mistake",
        "mistaken",
        "error",
        "invalid",
        "inaccurate",
        "oops",
        "should",
        "instead",
        "not",
        "isn't",
    ];
    let named = words(sentence);
    named.iter().map(|word| word.to_lowercase()).any(|word| WRONG.contains(&word.as_str()) || is_doubtful(&word))
}

/// Whether two words have the same beginning, of at least four letters or as long as the shorter one.
fn shares_stem(one: &str, two: &str) -> bool {
    let (short, long) = if one.len() <= two.len() { (one, two) } else { (two, one) };
    let stem = short.strip_suffix(['s', 'e', 'd']).filter(|stem| stem.len() >= 4).unwrap_or(short);
    if stem.len() < 4 { one == two } else { long.contains(stem) }
}

/// The words of the keys and short texts of a value.
fn words_in(value: &Value, found: &mut Vec<String>) {
    const LONGEST: usize = 40;
    const MOST: usize = 400;
    let add = |text: &str, found: &mut Vec<String>| {
        if text.len() <= LONGEST && found.len() < MOST {
            found.extend(words(text).iter().map(|word| word.to_lowercase()).filter(|word| word.len() > 2));
        }
    };
    match value {
        Value::String(text) => add(text, found),
        Value::Array(items) => items.iter().for_each(|item| words_in(item, found)),
        Value::Object(map) => map.iter().for_each(|(key, inner)| {
            add(key, found);
            words_in(inner, found);
        }),
        Value::Number(number) => {
            let number = if found.len() < MOST { number.to_string() } else { String::new() };
            found.extend(number.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).map(str::to_owned));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// The prose directly around the value: no reasoning, no code, and nothing that another value stands between.
fn surroundings<'t>(text: &'t str, repairs: &[Repair]) -> Surroundings<'t> {
    let fences = fences(repairs);
    let fences = fences.as_slice();
    let prose =
        |kind: RepairKind| repairs.iter().filter(move |repair| repair.kind == kind && !is_code(text, fences, repair));
    let before = prose(RepairKind::ProseBefore).max_by_key(|repair| repair.at().end);
    let after = prose(RepairKind::ProseAfter).min_by_key(|repair| repair.at().start);
    let end = prose(RepairKind::ProseAfter).map(|repair| repair.at().end).max();
    let other = repairs.iter().filter(|repair| repair.kind == RepairKind::OtherValue).map(|repair| repair.at());
    let after = after.zip(end).map(|(first, end)| {
        let next = other.filter(|other| other.start >= first.at().start).map(|other| other.start).min();
        first.at().start..next.unwrap_or(end).min(end)
    });
    // What stands before the end of a block of reasoning is part of it, also where its beginning was cut off.
    let reasoned = |at: usize| {
        let tags = repairs.iter().filter(|repair| repair.kind == RepairKind::WrapperTag && repair.at().start >= at);
        let mut tags = tags.map(|repair| repair.removed(text).to_lowercase());
        tags.any(|tag| ["</think>", "</thinking>", "</reasoning>", "</thought>", "</analysis>"].contains(&tag.as_str()))
    };
    let before = before.filter(|repair| !reasoned(repair.at().end));
    // A mark of emphasis may stand between the prose and the value.
    let before = before.map(|repair| {
        let edge =
            repairs.iter().filter(|other| other.kind == RepairKind::Markup && other.at().start == repair.at().end);
        repair.at().start..edge.map(|other| other.at().end).max().unwrap_or(repair.at().end)
    });
    let part = |at: Option<std::ops::Range<usize>>| at.and_then(|at| text.get(at)).unwrap_or_default();
    let inline = before.clone().is_some_and(|at| {
        let rest = excerpt(text, at.end..);
        let value = rest.trim_start_matches([' ', '\t', '*', '_', '"', '\'']);
        (value.starts_with(['{', '[']) || value.starts_with('`')) && !value.starts_with("```")
    });
    let before = part(before);
    // A text that was cut off may have lost more than brackets: `[]` may be the beginning of a type.
    let is_cut = |repair: &Repair| matches!(repair.kind, RepairKind::CutClosed | RepairKind::MissingCloser);
    let is_typed = is_type_of_go(before) && !repairs.iter().any(is_cut);
    Surroundings { before, after: part(after), inline: inline && !is_typed, empty: false }
}

/// Whether a text ends with a type of Go in front of its braces, as in `order := map[string]any{…}`.
fn is_type_of_go(text: &str) -> bool {
    let name = text.rsplit(char::is_whitespace).next().unwrap_or(text);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '[' | ']' | '*' | '.' | '_');
    (name.starts_with("map[") || name.starts_with("[]")) && name.chars().all(is_part)
}

/// The fences of a text, in its order.
fn fences(repairs: &[Repair]) -> Vec<&Repair> {
    let mut fences: Vec<&Repair> = repairs.iter().filter(|repair| repair.kind == RepairKind::CodeFence).collect();
    fences.sort_by_key(|fence| fence.at().end);
    fences
}

/// Whether a part of the text stands in a fence of its own that holds program code.
fn is_code(text: &str, fences: &[&Repair], part: &Repair) -> bool {
    let before = fences.partition_point(|fence| fence.at().end <= part.at().start);
    let last = before.checked_sub(1).and_then(|last| fences.get(last));
    let language = last.map(|fence| fence.removed(text).trim_start_matches(['`', '~']).to_lowercase());
    let data = ["", "json", "json5", "jsonc", "yaml", "yml", "toml", "env", "ini", "text", "txt", "properties"];
    before % 2 == 1 && language.is_some_and(|language| !data.contains(&language.trim()))
}

/// Refuses a text that writes a value for a declared key outside the object that was read.
pub(super) fn refuse_written(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let Repaired { ladder, text, repairs, payload } = repaired;
    let fences = fences(repairs);
    let outside = |repair: &&Repair| {
        matches!(repair.kind, RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::OtherValue)
            && !is_code(text, &fences, repair)
    };
    if !payload.is_object() || !repairs.iter().any(|repair| outside(&repair) || holds_comments(repair)) {
        return;
    }
    let expected = ladder.imprint.expected();
    let keys = expected.keys(payload);
    let missing: Vec<&str> = keys.iter().map(|key| key.name).filter(|name| !holds_key(payload, name)).collect();
    let is_variant = |repair: &&Repair| {
        repair.kind == RepairKind::OtherValue && is_rejected_variant(repair.removed(text), payload, &missing)
    };
    let parts = repairs.iter().filter(outside).filter(|repair| !is_variant(repair));
    let parts: Vec<&str> = parts.map(|repair| repair.removed(text)).collect();
    let lacking = parts.iter().find_map(|part| missing.iter().find(|key| writes_value_of(part, key)));
    if let Some(key) = lacking.map(|key| quote(key)) {
        let message = format!("text beside the object writes a value for {key}, which the object does not have");
        let help = format!("write {key} as a member of the object");
        findings.add(Finding::blocking(Rung::L0, codes::VALUE_BESIDE_OBJECT, "", message).help(help));
        return;
    }
    let another = |key: &&ExpectedKey<'_>| {
        let Some(own) = payload.get(key.name) else { return false };
        let choices = expected.key(payload, key.name).choices().unwrap_or_default();
        let plain = own.is_boolean() || own.is_number() || (own.is_string() && !choices.is_empty());
        plain
            && parts.iter().any(|part| {
                let state = if own.is_boolean() { without_verb(key.name) } else { key.name };
                writes_another(part, key.name, own, &choices)
                    || (state != key.name && writes_another(part, state, own, &choices))
                    || counts_another(part, key.name, own)
                    || own.as_bool().is_some_and(|own| says_opposite(part, key.name, own))
            })
    };
    let decided = |key: &&ExpectedKey<'_>| {
        let own = payload.get(key.name).and_then(Value::as_str);
        let choices = expected.key(payload, key.name).choices().unwrap_or_default();
        let otherwise =
            |part: &&str, own| decides_otherwise(part, own, &choices) || names_another(part, key.name, own, &choices);
        own.is_some_and(|own| parts.iter().any(|part| otherwise(part, own)))
    };
    let after: Vec<&str> = repairs
        .iter()
        .filter(|repair| repair.kind == RepairKind::ProseAfter && !is_code(text, &fences, repair))
        .map(|repair| repair.removed(text))
        .collect();
    let contradicted = |key: &&ExpectedKey<'_>| {
        payload.get(key.name).is_some_and(|own| {
            let choices = expected.key(payload, key.name).choices().unwrap_or_default();
            is_contradicted(Member { payload, key: key.name, own, choices: &choices }, &parts, &after)
        })
    };
    let remarks = comments(text, repairs);
    let remarks: Vec<&str> = remarks.iter().map(String::as_str).collect();
    let remarked = |key: &&ExpectedKey<'_>| {
        payload.get(key.name).is_some_and(|own| {
            let choices = expected.key(payload, key.name).choices().unwrap_or_default();
            !choices.is_empty()
                && is_contradicted(Member { payload, key: key.name, own, choices: &choices }, &remarks, &[])
        })
    };
    let is_another = |key: &&ExpectedKey<'_>| another(key) || decided(key) || contradicted(key) || remarked(key);
    if let Some(key) = keys.iter().find(is_another).map(|key| quote(key.name)) {
        let message = format!("text beside the object writes another value for {key} than the object has");
        let help = format!("write {key} once, as a member of the object");
        findings.add(Finding::blocking(Rung::L0, codes::VALUE_BESIDE_OBJECT, "", message).help(help));
    }
}

/// Returns whether a repair may have removed a comment beside a value.
fn holds_comments(repair: &Repair) -> bool {
    matches!(repair.kind, RepairKind::Comment | RepairKind::KeyValueLines)
}

/// The comments beside the values of a text: those that were removed, and those at the ends of lines of keys and values.
fn comments(text: &str, repairs: &[Repair]) -> Vec<String> {
    const MOST: usize = 200;
    let held = repairs.iter().filter(|repair| holds_comments(repair));
    let of_repair = |repair: &Repair| -> Vec<String> {
        let removed = repair.removed(text);
        match repair.kind {
            RepairKind::Comment => vec![removed.to_owned()],
            _ => removed.lines().filter_map(|line| Some(line.split_once(" #")?.1.to_owned())).collect(),
        }
    };
    held.flat_map(of_repair).take(MOST).collect()
}

/// The name of a boolean without the verb before it: `active` for `is_active`.
fn without_verb(key: &str) -> &str {
    ["is_", "has_", "was_", "are_"].iter().find_map(|verb| key.strip_prefix(verb)).unwrap_or(key)
}

/// A member of an object, with the choices that its schema has for it.
#[derive(Clone, Copy)]
struct Member<'m> {
    payload: &'m Value,
    key: &'m str,
    own: &'m Value,
    choices: &'m [&'m Value],
}

/// Returns whether the prose beside an object contradicts one of its members.
fn is_contradicted(member: Member<'_>, parts: &[&str], after: &[&str]) -> bool {
    let Member { payload, key, own, choices } = member;
    match own {
        Value::String(own) if own.is_empty() => after.iter().any(|part| fills_gap(part, key)),
        Value::String(own) => {
            let mut topics = Vec::new();
            let others = payload.as_object().into_iter().flatten().filter(|(name, _)| *name != key);
            others.for_each(|(_, value)| words_in(value, &mut topics));
            words(key).iter().for_each(|word| topics.push(word.to_lowercase()));
            let is_topic = |word: &str| topics.iter().any(|topic| topic == word);
            (!choices.is_empty() && chooses_another(parts, own, choices, &is_topic))
                || parts.iter().any(|part| dates_another(part, key, own))
        }
        Value::Number(own) => own.as_f64().is_some_and(|own| {
            parts.iter().any(|part| numbers_another(part, key, own) || adds_up_to_another(part, key, own))
        }),
        Value::Null => after.iter().any(|part| fills_gap(part, key)),
        Value::Array(items) => items.is_empty() && after.iter().any(|part| fills_gap(part, key)),
        Value::Object(map) => map.is_empty() && after.iter().any(|part| fills_gap(part, key)),
        Value::Bool(own) => affirms_otherwise(parts, key, *own),
    }
}

/// Refuses a list with another number of entries than the line before it announces.
pub(super) fn refuse_miscounted(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let Repaired { text, repairs, payload, .. } = repaired;
    let around = surroundings(text, repairs);
    let after = sentences(around.after).take(MOST_RECOUNTED).find_map(recounted);
    let counts = [announced(around.before), after];
    let miscounted = counts.into_iter().flatten().find_map(|counted| {
        let (at, items) = list_of(payload, &counted)?;
        (items.len() != counted.count).then_some((at, items.len(), counted.count))
    });
    if let Some((at, items, count)) = miscounted {
        let message = format!("the text announces {count} entries, and the list has {items}");
        let finding = Finding::blocking(Rung::L0, codes::VALUE_BESIDE_OBJECT, &at, message);
        findings.add(finding.help("write the whole list, or leave the count out"));
    }
}

/// The list that a number of entries speaks of: the one that the noun names, or the only one.
fn list_of<'p>(payload: &'p Value, counted: &Announced) -> Option<(String, &'p Vec<Value>)> {
    let map = match payload {
        Value::Array(items) => return counted.is_entry.then(|| (String::new(), items)),
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    let is_named = |key: &str| words(key).last().is_some_and(|word| word.to_lowercase() == counted.noun);
    map.iter().find_map(|(key, value)| {
        let items = value.as_array()?;
        let is_it = is_named(key) || (counted.is_entry && map.len() == 1);
        is_it.then(|| (deed_canon::Pointer::push("", key), items))
    })
}

/// Whether another value of the text is no part of the answer: a JSON Schema, or an object that the schema rejected and
/// that has no declared key besides those of the payload.
fn is_rejected_variant(text: &str, payload: &Value, missing: &[&str]) -> bool {
    let Ok(reading) = read(text) else { return false };
    let Value::Object(other) = &reading.value else { return false };
    let is_schema = other.contains_key("properties") || other.contains_key("$schema");
    // An object with a part of the keys may go on with the payload, or correct it.
    let has_all = payload.as_object().is_some_and(|own| own.keys().all(|key| holds_key(&reading.value, key)));
    let adds = missing.iter().any(|key| holds_key(&reading.value, key));
    is_schema || (has_all && !adds)
}

/// Whether a key stands anywhere in a value.
fn holds_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(name, inner)| same_but_style(name, key) || holds_key(inner, key)),
        Value::Array(items) => items.iter().any(|inner| holds_key(inner, key)),
        _ => false,
    }
}
