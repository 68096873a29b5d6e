//! L0, schema: raw text enters, one JSON value leaves, with every repair of the text written down.
//!
//! Correct JSON is never altered. Text that can be read in two ways is refused.

use crate::climb::{Climb, Input, Weight, habits};
use crate::edits::hash_of;
use crate::embed::words;
use crate::naming::same_but_style;
use crate::prose::{Disowned, Surroundings, decides_otherwise, disowned, writes_another, writes_value_of};
use crate::repair::{Certainty, Repair, RepairKind, UnreadableKind, open_containers, read, repaired_text, rounded};
use deed_diag::{codes, quote};
use deed_imprint::ExpectedKey;
use deed_model::{LadderChange, LadderMode, PatchOp, PatchValue, ProseRule, RepairName, Rung, TextRepairs};
use serde_json::Value;

pub(crate) fn run(climb: &mut Climb<'_>) {
    match (climb.input, climb.reading.take()) {
        (Input::Text(text), Some(Ok(repairs))) if !repairs.is_empty() => {
            if climb.mode != LadderMode::Block {
                let kinds = habits(repairs.iter().map(|repair| repair.kind.as_str()));
                let message = format!("the text is no JSON, and would have to be repaired ({})", kinds.join(", "));
                climb.find(Rung::L0, codes::TEXT_UNREADABLE, "", message, None, None, Weight::Blocks);
                climb.payload = None;
                climb.reading = Some(Ok(repairs));
                return;
            }
            if !rounded(text).is_empty() {
                digits_lost(climb, &repaired_text(text, &repairs));
            }
            bounded(climb);
            repaired(climb, text, repairs);
        }
        (Input::Text(_), Some(Err(unreadable))) => {
            let why = if climb.unquoted { unreadable.reason.message() } else { &unreadable.message };
            let code = match unreadable.reason {
                UnreadableKind::SeveralReadings => codes::SEVERAL_TEXT_READINGS,
                _ => codes::TEXT_UNREADABLE,
            };
            bounded(climb);
            climb.find(
                Rung::L0,
                code,
                "",
                format!("the text cannot be read at byte {}: {why}", unreadable.at),
                Some(unreadable.help.clone()),
                Some(unreadable.reason.as_str()),
                Weight::Blocks,
            );
            climb.reading = Some(Err(unreadable));
        }
        (Input::Value(_), _) => climb.canonical(),
        (Input::Text(text), reading) => {
            digits_lost(climb, text);
            climb.reading = reading;
        }
    }
}

/// Reports numbers with more digits than a double holds. One that became another kind of number refuses the payload.
fn digits_lost(climb: &mut Climb<'_>, text: &str) {
    for number in rounded(text) {
        let whole = !number.read.contains(['.', 'e', 'E']);
        let weight = if whole { Weight::Blocks } else { Weight::Remark };
        let (literal, read) = (quote(&number.literal), quote(&number.read));
        let message =
            format!("number {literal} at byte {} has more digits than are kept, and reads as {read}", number.at);
        let help = Some("write it as text, or with at most 15 digits".to_owned());
        climb.find(Rung::L0, codes::NUMBER_ROUNDED, "", message, help, None, weight);
    }
}

/// Says that other readings of the text were not tried.
fn bounded(climb: &mut Climb<'_>) {
    let Some(bound) = climb.bound.take() else { return };
    let message = format!("readings under the schema were not tried: {bound}");
    climb.find(Rung::L0, codes::SEARCH_LIMIT_REACHED, "", message, None, None, Weight::Remark);
}

fn repaired<'c>(climb: &mut Climb<'c>, text: &'c str, repairs: Vec<Repair>) {
    let least_sure = repairs.iter().map(|repair| repair.certainty()).max().unwrap_or(Certainty::Exact);
    let confidence = match least_sure {
        Certainty::Exact => 1000,
        Certainty::Likely => 900,
        Certainty::Partial => 600,
    };
    cut_off(climb, text, &repairs);
    broken_off(climb, &repairs);
    encoded_body(climb, text, &repairs);
    if climb.ladder.contract.prose == ProseRule::Refuse {
        prose_beside(climb, text, &repairs);
    }
    disowned_outside(climb, text, &repairs);
    written_outside(climb, text, &repairs);
    // Only defaults ask for it, and there may be as many parts as lines.
    if !climb.ladder.defaults.is_empty() {
        climb.removed = removed(text, &repairs);
    }
    let rule = habits(repairs.iter().map(|repair| repair.kind.as_str())).join("+");
    climb.repairs = recorded(repairs);
    // Hashing takes room of its own, so it comes before what is kept.
    let raw = Value::String(text.to_owned());
    let before = hash_of(&raw);
    let Some(value) = &climb.payload else { return };
    let (after, value) = (hash_of(value), PatchValue::compact(value, text.len()));
    climb.record(LadderChange {
        rung: Rung::L0,
        rule,
        confidence,
        before,
        after,
        patch: vec![PatchOp::Replace { path: String::new(), value }],
        inverse: vec![PatchOp::Replace { path: String::new(), value: raw.into() }],
        why: "the text was read as JSON once these slips were repaired".to_owned(),
    });
}

/// The repairs as the record has them.
fn recorded(repairs: Vec<Repair>) -> TextRepairs {
    let names: Vec<Option<RepairName>> = RepairKind::ALL.iter().map(|kind| RepairName::new(kind.as_str())).collect();
    let name = |kind: RepairKind| names.get(kind as usize).copied().flatten();
    let mut recorded = TextRepairs::default();
    for repair in &repairs {
        if let Some(kind) = name(repair.kind) {
            recorded.push(kind, repair.at(), repair.inserted());
        }
    }
    recorded.shrink_to_fit();
    recorded
}

/// Refuses a text with prose beside the value, for contracts that take none.
fn prose_beside(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let is_prose = |repair: &&Repair| matches!(repair.kind, RepairKind::ProseBefore | RepairKind::ProseAfter);
    let Some(prose) = repairs.iter().find(is_prose) else { return };
    let words = if climb.unquoted { String::new() } else { format!(": {}", quote(prose.removed(text).trim())) };
    let message = format!("there is text beside the value at byte {}{words}", prose.at().start);
    let help = Some("answer with the JSON value alone; the contract says `prose: refuse`".to_owned());
    climb.find(Rung::L0, codes::PROSE_BESIDE_VALUE, "", message, help, None, Weight::Blocks);
}

/// Refuses a payload whose surroundings say that it is not the answer.
fn disowned_outside(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let Some(payload) = &climb.payload else { return };
    let struck = repairs.iter().find(|repair| {
        let tag = repair.removed(text).to_lowercase();
        repair.kind == RepairKind::WrapperTag && ["<s>", "<del>", "<strike>"].contains(&tag.as_str())
    });
    let found = match struck {
        Some(tag) => Some(Disowned::Withdrawn(tag.removed(text).to_owned())),
        None => {
            let mut topics = Vec::new();
            words_in(payload, &mut topics);
            let is_topic = |word: &str| topics.iter().any(|topic| shares_stem(topic, word));
            let keys = climb.ladder.imprint.expected().keys(payload);
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
            disowned(surroundings(text, repairs), &is_topic, &is_gap)
        }
    };
    let Some(found) = found else { return };
    let quoted = |words: &str| if climb.unquoted { "words around it".to_owned() } else { quote(words) };
    let message = found.message(quoted);
    let help = Some("answer with one JSON value, and without a sentence that may take it back".to_owned());
    climb.find(Rung::L0, codes::VALUE_DISOWNED, "", message, help, None, Weight::Blocks);
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
    let prose =
        |kind: RepairKind| repairs.iter().filter(move |repair| repair.kind == kind && !is_code(text, repairs, repair));
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
        let rest = text.get(at.end..).unwrap_or_default();
        let value = rest.trim_start_matches([' ', '\t', '*', '_', '"', '\'']);
        (value.starts_with(['{', '[']) || value.starts_with('`')) && !value.starts_with("```")
    });
    Surroundings { before: part(before), after: part(after), inline }
}

/// Whether a part of the text stands in a fence of its own that holds program code.
fn is_code(text: &str, repairs: &[Repair], part: &Repair) -> bool {
    let fences = repairs.iter().filter(|repair| repair.kind == RepairKind::CodeFence);
    let before: Vec<&Repair> = fences.filter(|fence| fence.at().end <= part.at().start).collect();
    let language = before.last().map(|fence| fence.removed(text).trim_start_matches(['`', '~']).to_lowercase());
    let data = ["", "json", "json5", "jsonc", "yaml", "yml", "toml", "env", "ini", "text", "txt", "properties"];
    before.len() % 2 == 1 && language.is_some_and(|language| !data.contains(&language.trim()))
}

/// Refuses a text that writes a value for a declared key outside the object that was read.
fn written_outside(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let Some(payload) = &climb.payload else { return };
    let outside = |repair: &&Repair| {
        matches!(repair.kind, RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::OtherValue)
            && !is_code(text, repairs, repair)
    };
    if !repairs.iter().any(|repair| outside(&repair)) || !payload.is_object() {
        return;
    }
    let expected = climb.ladder.imprint.expected();
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
        let help = Some(format!("write {key} as a member of the object"));
        climb.find(Rung::L0, codes::VALUE_BESIDE_OBJECT, "", message, help, None, Weight::Blocks);
        return;
    }
    let another = |key: &&ExpectedKey<'_>| {
        let Some(own) = payload.get(key.name) else { return false };
        let choices = expected.key(payload, key.name).choices().unwrap_or_default();
        let plain = own.is_boolean() || own.is_number() || (own.is_string() && !choices.is_empty());
        plain && parts.iter().any(|part| writes_another(part, key.name, own, &choices))
    };
    let decided = |key: &&ExpectedKey<'_>| {
        let own = payload.get(key.name).and_then(Value::as_str);
        let choices = expected.key(payload, key.name).choices().unwrap_or_default();
        own.is_some_and(|own| parts.iter().any(|part| decides_otherwise(part, own, &choices)))
    };
    if let Some(key) = keys.iter().find(|key| another(key) || decided(key)).map(|key| quote(key.name)) {
        let message = format!("text beside the object writes another value for {key} than the object has");
        let help = Some(format!("write {key} once, as a member of the object"));
        climb.find(Rung::L0, codes::VALUE_BESIDE_OBJECT, "", message, help, None, Weight::Blocks);
    }
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

/// The parts of a text that were removed and may say something of the value.
fn removed<'t>(text: &'t str, repairs: &[Repair]) -> Vec<&'t str> {
    let speaks = |repair: &&Repair| {
        matches!(
            repair.kind,
            RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::OtherValue | RepairKind::Comment
        )
    };
    repairs.iter().filter(speaks).map(|repair| repair.removed(text)).collect()
}

/// Reports that a text was cut off, where, and what became of its end.
fn cut_off(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let at_end = |repair: &&Repair| repair.certainty() == Certainty::Partial;
    let Some(at) = repairs.iter().filter(at_end).map(|repair| repair.at().start).min() else { return };
    let dropped = repairs.iter().find(|repair| repair.kind == RepairKind::CutMemberDropped);
    // A closing bracket alone may be all that is missing; a part of a member, or a comma, shows that more was written.
    let closers = repairs.iter().filter(|repair| repair.kind == RepairKind::CutClosed).count();
    let more = |repair: &Repair| {
        let part = [RepairKind::CutMemberDropped, RepairKind::CutStringClosed, RepairKind::CutLiteralCompleted];
        part.contains(&repair.kind)
            || closers > 1
            || (repair.kind == RepairKind::TrailingComma
                && text.get(repair.at().end..).is_some_and(|rest| rest.trim().is_empty()))
    };
    let broken = |repair: &Repair| {
        let part = [RepairKind::CutMemberDropped, RepairKind::CutStringClosed, RepairKind::CutLiteralCompleted];
        part.contains(&repair.kind)
    };
    let open = open_at_cut(text, repairs);
    let complete = !repairs.iter().any(broken) && has_no_room(climb, &open);
    if repairs.iter().any(more) {
        climb.cut = open;
    }
    let number = dropped.map(|repair| last_number(repair.removed(text))).filter(|number| !number.is_empty());
    let dropped = dropped.is_some();
    let closed: String = repairs.iter().filter(at_end).map(|repair| repair.inserted()).collect();
    let completed = repairs.iter().find(|repair| repair.kind == RepairKind::CutLiteralCompleted);
    let word =
        completed.map(|repair| format!("; the word that it broke off in is read as {}", quote(repair.inserted())));
    let word = word.unwrap_or_default();
    let lost = if dropped { "; the member or item that it broke off in is left out" } else { "" };
    let message = format!("the text was cut off at byte {at}, and closed there with {}{word}{lost}", quote(&closed));
    let help = Some("what followed is not known; ask for it again, or for less at once".to_owned());
    let weight = if complete { Weight::Remark } else { Weight::Blocks };
    climb.find(Rung::L0, codes::TEXT_CUT_OFF, "", message, help, None, weight);
    if let Some(number) = number {
        let message = format!("the text ends in the number {}, of which digits may be missing", quote(number));
        let help = Some("ask for the whole answer again".to_owned());
        climb.find(Rung::L0, codes::NUMBER_CUT_OFF, "", message, help, None, Weight::Blocks);
    }
}

/// Refuses a string that ends without a quote where brackets are missing too: it broke off, and a fence or prose follows.
fn broken_off(climb: &mut Climb<'_>, repairs: &[Repair]) {
    let ends =
        |kind: RepairKind| repairs.iter().filter(move |repair| repair.kind == kind).map(|repair| repair.at().start);
    let Some(at) =
        ends(RepairKind::MissingQuote).find(|at| ends(RepairKind::MissingCloser).any(|closer| closer == *at))
    else {
        return;
    };
    let message = format!("a string breaks off at byte {at}, before its quote and its brackets are closed");
    let help = Some("what followed is not known; ask for it again, or for less at once".to_owned());
    climb.find(Rung::L0, codes::TEXT_CUT_OFF, "", message, help, None, Weight::Blocks);
}

/// Refuses the body of a mail that its headers call encoded: its texts are not what they look like.
fn encoded_body(climb: &mut Climb<'_>, text: &str, repairs: &[Repair]) {
    let headers = repairs.iter().filter(|repair| repair.kind == RepairKind::ProseBefore);
    let headers: String = headers.map(|repair| repair.removed(text).to_ascii_lowercase()).collect();
    let encodings = ["quoted-printable", "base64"];
    let encoding = headers
        .lines()
        .filter_map(|line| line.trim().strip_prefix("content-transfer-encoding:"))
        .find_map(|value| encodings.into_iter().find(|encoding| value.trim() == *encoding));
    if let Some(encoding) = encoding {
        let message = format!("the text is encoded as `{encoding}`, which is not decoded");
        let help = Some("decode the body of the message first".to_owned());
        climb.find(Rung::L0, codes::TEXT_UNREADABLE, "", message, help, None, Weight::Blocks);
    }
}

/// Whether nothing can have followed where the text was cut off: every container that is open there is an object that
/// has all its declared keys, and that takes no others by a rule. A list may always go on.
fn has_no_room(climb: &Climb<'_>, open: &[String]) -> bool {
    const UNDECLARED: &str = "\u{1}undeclared";
    let Some(payload) = &climb.payload else { return false };
    let expected = climb.ladder.imprint.expected();
    let is_full = |at: &String| {
        let Some(object) = payload.pointer(at).filter(|object| object.is_object()) else { return false };
        let expected = expected.along(payload, at);
        let declared = expected.keys(object);
        !declared.is_empty()
            && declared.iter().all(|key| object.get(key.name).is_some())
            && !expected.has_key(object, UNDECLARED)
    };
    !open.is_empty() && open.iter().all(is_full)
}

/// The number that a text ends in.
fn last_number(text: &str) -> &str {
    let text = text.trim_end();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let start = text.trim_end_matches(is_part).len();
    let number = text.get(start..).unwrap_or_default();
    let valued = text.get(..start).is_some_and(|before| before.trim_end().ends_with([':', ',', '[', '=']));
    if valued && number.starts_with(|c: char| c.is_ascii_digit() || c == '-') { number } else { "" }
}

/// The objects and lists that are open where the text was cut off, outermost first.
fn open_at_cut(text: &str, repairs: &[Repair]) -> Vec<String> {
    let closers = repairs.iter().filter(|repair| repair.kind == RepairKind::CutClosed).count();
    let before = repaired_text(text, repairs);
    let end = before.trim_end().len().saturating_sub(closers);
    open_containers(before.get(..end).unwrap_or_default())
}
