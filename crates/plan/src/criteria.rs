//! Conditions of success: sentences of a few forms become conditions in parts, and both are held to what can be known.
//!
//! A sentence is a path and what is said of it, joined by `and`: `exists`, `is not empty`, `is valid` (with or without
//! a format), `matches its schema`, `has at least 3 rows`, `has at most 3 rows`.

use crate::path::WorkPath;
use deed_diag::{did_you_mean, quote};
use deed_logic::{Mode, Program, Ty};
use deed_model::{Condition, ConditionCheck, Criterion, Kind, KindShape};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Facts that are known once a step has run.
#[derive(Default)]
pub(crate) struct Facts<'f> {
    /// Files it writes, with their kinds.
    pub(crate) files: BTreeMap<&'f str, Option<&'f Kind>>,
    /// Those of them that have a schema.
    pub(crate) described: BTreeSet<&'f str>,
    /// Slots of its outputs, with the kinds in them.
    pub(crate) outputs: BTreeMap<&'f str, Vec<Option<&'f Kind>>>,
    /// Slots of its inputs, with the kinds in them.
    pub(crate) inputs: BTreeMap<&'f str, Vec<Option<&'f Kind>>>,
    /// Slots of required inputs that nothing is bound to, which is reported elsewhere.
    pub(crate) unbound: BTreeSet<&'f str>,
    /// True if they are those of all steps.
    pub(crate) whole: bool,
    /// Files that it writes and of which something else is wrong already.
    pub(crate) doubtful: BTreeSet<&'f str>,
}

/// The facts that are known of each file.
const OF_FILE: [&str; 4] = ["exists", "bytes", "rows", "columns"];

/// The reason why a condition cannot be checked.
pub(crate) struct Fault {
    /// True if it names an unknown fact.
    pub(crate) unknown: bool,
    /// The key of the condition that is at fault.
    pub(crate) part: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

const FORMS: &str = "say it as `<path> exists`, `… is not empty`, `… is valid`, `… matches its schema`, \
                     `… has at least N rows`, `… has at most N rows`, or write a `rule`";

/// Conditions in parts.
pub(crate) fn understand(criterion: &Criterion, facts: &Facts<'_>) -> Result<Vec<Condition>, Fault> {
    let (conditions, formats) = match criterion {
        Criterion::Sentence(sentence) => parse(sentence)?,
        Criterion::Condition(condition) => (vec![condition.clone()], Vec::new()),
    };
    let plain = |path: String| WorkPath::read_any(&path).map_or(path, |path| path.text);
    let conditions: Vec<Condition> =
        conditions.into_iter().map(|condition| Condition { path: condition.path.map(plain), ..condition }).collect();
    for condition in &conditions {
        check(condition, facts)?;
        named_format(&formats, condition.path.as_deref().unwrap_or_default(), facts)?;
    }
    Ok(conditions)
}

/// Returns the conditions that a criterion of a compiled plan stands for; none if it is a sentence that cannot be checked,
/// which the compiler refuses and a plan from elsewhere may have.
pub fn conditions(criterion: &Criterion) -> Option<Vec<Condition>> {
    match criterion {
        Criterion::Sentence(sentence) => parse(sentence).map(|(conditions, _)| conditions).ok(),
        Criterion::Condition(condition) => Some(vec![condition.clone()]),
    }
}

fn fault(unknown: bool, part: Option<&'static str>, message: String, help: Option<String>) -> Fault {
    Fault { unknown, part, message, help }
}

/// The conditions of a sentence, and the formats that it names.
fn parse(sentence: &str) -> Result<(Vec<Condition>, Vec<String>), Fault> {
    let refuse =
        || fault(false, None, format!("{} cannot be checked by a machine", quote(sentence)), Some(FORMS.to_owned()));
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let (path, said) = words.split_first().ok_or_else(refuse)?;
    let path = path.trim_matches('`').to_owned();
    let mut conditions = Vec::new();
    let mut formats = Vec::new();
    for clause in said.split(|word| word.eq_ignore_ascii_case("and")) {
        let clause: Vec<String> = clause.iter().map(|word| word.trim_end_matches(['.', ',']).to_lowercase()).collect();
        let clause: Vec<&str> =
            clause.iter().map(String::as_str).filter(|word| !matches!(*word, "it" | "a" | "an")).collect();
        let (checked, count) = match clause.as_slice() {
            ["exists"] | ["is", "there"] => (ConditionCheck::Exists, None),
            ["is", "not", "empty"] | ["is", "non-empty"] => (ConditionCheck::NotEmpty, None),
            ["parses"] | ["is", "valid"] => (ConditionCheck::Parses, None),
            ["is", "valid", format] | ["is", "valid", format, "document" | "file"] => {
                formats.push((*format).to_owned());
                (ConditionCheck::Parses, None)
            }
            ["matches", "its", "schema"] => (ConditionCheck::MatchesSchema, None),
            ["has", "at", "least", count, "row" | "rows"] => (ConditionCheck::RowsAtLeast, Some(*count)),
            ["has", "at", "most", count, "row" | "rows"] => (ConditionCheck::RowsAtMost, Some(*count)),
            _ => return Err(refuse()),
        };
        let count = match count.map(|count| count.replace('_', "").parse::<u64>()) {
            Some(Ok(count)) => Some(count),
            Some(Err(_)) => return Err(refuse()),
            None => None,
        };
        conditions.push(Condition { check: checked, path: Some(path.clone()), count, rule: None });
    }
    Ok((conditions, formats))
}

/// A format that a sentence names has to be that of the file.
fn named_format(formats: &[String], path: &str, facts: &Facts<'_>) -> Result<(), Fault> {
    let Some(Some(kind)) = facts.files.get(path) else { return Ok(()) };
    let is = |format: &str| match format {
        "markdown" => "md",
        "text" => "txt",
        other => other,
    } == kind.format.as_str();
    match formats.iter().find(|format| !is(format)) {
        None => Ok(()),
        Some(format) => {
            let message = format!("{} is {}, and cannot be valid {format}", quote(path), quote(kind.kind_key.as_str()));
            Err(fault(false, None, message, Some(format!("write `is valid {}`", kind.format.as_str()))))
        }
    }
}

fn check(condition: &Condition, facts: &Facts<'_>) -> Result<(), Fault> {
    let counts = matches!(condition.check, ConditionCheck::RowsAtLeast | ConditionCheck::RowsAtMost);
    let stray = match (&condition.rule, &condition.count) {
        (Some(_), _) if condition.check != ConditionCheck::Rule => Some("rule"),
        (_, Some(_)) if !counts => Some("count"),
        _ => None,
    };
    if let Some(part) = stray {
        return Err(fault(
            false,
            Some(part),
            format!("`{part}` means nothing for this check"),
            Some("take it out".to_owned()),
        ));
    }
    if condition.check == ConditionCheck::Rule {
        let rule = condition.rule.as_ref();
        let rule = rule.ok_or_else(|| fault(false, None, "the criterion has no rule".to_owned(), None))?;
        return rule_holds(rule, facts);
    }
    let Some(path) = &condition.path else {
        return Err(fault(false, None, "it does not say of which file".to_owned(), Some("add `path`".to_owned())));
    };
    let Some(kind) = facts.files.get(path.as_str()) else {
        if facts.doubtful.contains(path.as_str()) {
            return Ok(());
        }
        let help = did_you_mean(path, facts.files.keys().copied());
        let help = help.unwrap_or_else(|| "name a file that is written here".to_owned());
        let message = match facts.whole {
            true => format!("no step writes {}", quote(path)),
            false => format!("the step does not write {}", quote(path)),
        };
        return Err(fault(true, Some("path"), message, Some(help)));
    };
    let rows = matches!(condition.check, ConditionCheck::RowsAtLeast | ConditionCheck::RowsAtMost);
    if rows && condition.count.is_none() {
        return Err(fault(false, None, "it does not say how many rows".to_owned(), Some("add `count`".to_owned())));
    }
    let Some(kind) = kind else { return Ok(()) };
    let structured = matches!(kind.shape, KindShape::Rows | KindShape::Document | KindShape::Manifest);
    let needs = match condition.check {
        ConditionCheck::RowsAtLeast | ConditionCheck::RowsAtMost => (kind.shape == KindShape::Rows, "has no rows"),
        ConditionCheck::MatchesSchema => {
            (structured && kind.readable && facts.described.contains(path.as_str()), "has no schema to match")
        }
        ConditionCheck::Parses => (kind.has_form(), "cannot be looked into"),
        ConditionCheck::Exists | ConditionCheck::NotEmpty | ConditionCheck::Rule => (true, ""),
    };
    match needs {
        (true, _) => Ok(()),
        (false, why) => {
            let message = format!("{} is {}, which {why}", quote(path), quote(kind.kind_key.as_str()));
            Err(fault(false, Some("check"), message, Some("check that it exists or is not empty".to_owned())))
        }
    }
}

fn rule_holds(rule: &Value, facts: &Facts<'_>) -> Result<(), Fault> {
    let program = Program::compile(rule, Mode::Strict).map_err(|errors| {
        let first = errors.first().map_or_else(String::new, ToString::to_string);
        fault(false, Some("rule"), format!("the rule cannot be evaluated: {first}"), None)
    })?;
    for variable in program.variables() {
        if !variable.scoped {
            fact(&variable.path, variable.dynamic, facts)?;
        }
    }
    let context = Ty::infer(&sample(facts));
    match deed_logic::check(&program, &context).into_iter().find(|found| found.severity == deed_logic::Severity::Error)
    {
        Some(found) => Err(fault(false, Some("rule"), format!("the rule cannot be evaluated: {found}"), None)),
        None => Ok(()),
    }
}

/// Facts as they could be, which say what types they have.
fn sample(facts: &Facts<'_>) -> Value {
    let of = |slots: &BTreeMap<&str, Vec<Option<&Kind>>>| {
        let known = slots.keys().map(|slot| {
            let fact = serde_json::json!({ "exists": true, "bytes": 1, "rows": 1, "columns": ["a"] });
            ((*slot).to_owned(), fact)
        });
        Value::Object(known.collect())
    };
    serde_json::json!({ "outputs": of(&facts.outputs), "inputs": of(&facts.inputs) })
}

/// A variable of a rule has to be something that is known of one file.
fn fact(path: &[String], dynamic: bool, facts: &Facts<'_>) -> Result<(), Fault> {
    let name = path.join(".");
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    let found = match parts.as_slice() {
        ["outputs", slot, fact] if OF_FILE.contains(fact) => facts.outputs.get(slot).map(|kinds| (kinds, *slot, *fact)),
        ["inputs", slot, fact] if OF_FILE.contains(fact) => facts.inputs.get(slot).map(|kinds| (kinds, *slot, *fact)),
        _ => None,
    };
    match found.filter(|_| !dynamic) {
        Some((kinds, slot, _)) if kinds.len() > 1 => {
            let message = format!("{} speaks of {}, of which there are {}", quote(&name), quote(slot), kinds.len());
            Err(fault(true, Some("rule"), message, Some("say it of the file, as a sentence".to_owned())))
        }
        Some((_, slot, _)) if facts.unbound.contains(slot) => Ok(()),
        Some((kinds, slot, _)) if kinds.iter().all(Option::is_none) => {
            let message = format!("{} speaks of {}, which nothing gives", quote(&name), quote(slot));
            Err(fault(true, Some("rule"), message, None))
        }
        Some((kinds, _, fact)) => {
            let table = matches!(fact, "rows" | "columns");
            let rowless = kinds.iter().flatten().find(|kind| table && kind.shape != KindShape::Rows);
            match rowless {
                Some(kind) => {
                    let message =
                        format!("{} is asked of {}, which has no {fact}", quote(&name), quote(kind.kind_key.as_str()));
                    Err(fault(false, Some("rule"), message, None))
                }
                None => Ok(()),
            }
        }
        None => Err(unknown_fact(&name, facts)),
    }
}

fn unknown_fact(name: &str, facts: &Facts<'_>) -> Fault {
    let sides = [("outputs", &facts.outputs), ("inputs", &facts.inputs)];
    let all: Vec<String> = sides
        .into_iter()
        .flat_map(|(side, slots)| {
            slots.keys().flat_map(move |slot| OF_FILE.map(|fact| format!("{side}.{slot}.{fact}")))
        })
        .collect();
    let help = did_you_mean(name, all.iter().map(String::as_str)).unwrap_or_else(|| match all.first() {
        Some(first) => format!("known are facts such as `{first}`; of each: {}", OF_FILE.join(", ")),
        None => {
            "rules speak of the inputs and outputs of one step; say of the mission which files there must be".to_owned()
        }
    });
    fault(true, Some("rule"), format!("{} is not a known fact", quote(name)), Some(help))
}
