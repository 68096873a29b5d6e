//! Raw answers of small models, recorded once: what share is valid as written, and what share after the ladder.
//!
//! No model runs here. `scripts/corpus.py` recorded the answers of tests/corpus/models; `expected.json` beside them holds the
//! counts, and `DEED_BLESS=1` rewrites it. A payload that is accepted is judged by a validator and by a walker that are not
//! the ladder's own, and its values must stand in the answer.

use deed_ladder::{Climbed, Input, Ladder, climb, undo};
use deed_model::{LadderOutcome, Phase, Proposals};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Deserialize)]
struct Tasks {
    tasks: Vec<Task>,
}

#[derive(Deserialize)]
struct Task {
    id: String,
    schema: Value,
}

/// A line of the recording. What else it has is for reproducing it.
#[derive(Deserialize)]
struct Answer {
    model: String,
    task: String,
    style: String,
    seed: u64,
    temperature: f64,
    max_tokens: u64,
    stop: String,
    text: String,
}

/// The counts of one model and style.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    answers: usize,
    valid_as_written: usize,
    valid_after_ladder: usize,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/models")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

fn recorded() -> (BTreeMap<String, Value>, Vec<Answer>) {
    let tasks: Tasks = serde_json::from_str(&read("tasks.json")).unwrap();
    let answers = read("answers.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (tasks.tasks.into_iter().map(|task| (task.id, task.schema)).collect(), answers)
}

/// Returns true if every value has a type that the schema names at its place: the few keywords that the tasks use.
fn has_types(schema: &Value, value: &Value) -> bool {
    let named = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        many => many.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect(),
    };
    let whole = |number: &serde_json::Number| number.as_f64().is_some_and(|number| number.fract() == 0.0);
    match value {
        Value::Null => named.contains(&"null"),
        Value::Bool(_) => named.contains(&"boolean"),
        Value::Number(number) => named.contains(&"number") || named.contains(&"integer") && whole(number),
        Value::String(text) => {
            let listed = schema["enum"].as_array().is_none_or(|all| all.iter().any(|one| one == text.as_str()));
            named.contains(&"string") && listed
        }
        Value::Array(items) => named.contains(&"array") && items.iter().all(|item| has_types(&schema["items"], item)),
        Value::Object(members) => {
            let required = schema["required"].as_array().into_iter().flatten();
            let complete = required.into_iter().all(|key| members.contains_key(key.as_str().unwrap()));
            let fits = members.iter().all(|(key, member)| match schema["properties"].get(key) {
                Some(inner) => has_types(inner, member),
                None => match &schema["additionalProperties"] {
                    Value::Object(_) => has_types(&schema["additionalProperties"], member),
                    Value::Bool(closed) => *closed,
                    _ => true,
                },
            });
            named.contains(&"object") && complete && fits
        }
    }
}

/// Letters and digits in lowercase.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A date of RFC 3339 as people write it: the day, the name of the month and the year, in either order.
fn spoken(date: &str) -> Option<[String; 2]> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let mut parts = date.split('-').map(|part| part.parse::<usize>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let month = MONTHS.get(month.checked_sub(1)?)?;
    Some([format!("{day}{month}{year}"), format!("{month}{day}{year}")])
}

/// The texts and numbers of a payload that do not stand in the answer, whatever their case and the form of a date.
fn invented(value: &Value, answer: &str, found: &mut Vec<String>) {
    let mut look = |text: &str| {
        let stands = |text: &str| bare(answer).contains(&bare(text));
        if !stands(text) && !spoken(text).is_some_and(|forms| forms.iter().any(|form| stands(form))) {
            found.push(text.to_owned());
        }
    };
    match value {
        Value::String(text) => look(text),
        // `12.0` is written as 12.
        Value::Number(number) => look(number.to_string().trim_end_matches(".0")),
        Value::Array(items) => items.iter().for_each(|item| invented(item, answer, found)),
        Value::Object(members) => members.values().for_each(|member| invented(member, answer, found)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn ladder(task: &str, schema: &Value) -> Ladder {
    Ladder::new(serde_json::from_value(json!({"contract": task, "schema": schema})).unwrap()).unwrap()
}

fn climbed(ladder: &Ladder, text: &str) -> Climbed {
    climb(ladder, Input::Text(text), Phase::StepOutput, &Proposals::default())
}

fn is_accepted(climbed: &Climbed) -> bool {
    climbed.report.outcome == LadderOutcome::Accepted
}

/// The escapes of JSON hide letters from a plain search.
fn plain(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\n", " ").replace("\\u00e9", "é")
}

#[test]
fn the_share_of_valid_answers_is_held() {
    let (tasks, answers) = recorded();
    assert!(answers.len() >= 300, "{} answers", answers.len());
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    let mut faults = Vec::new();
    for answer in &answers {
        let schema = &tasks[&answer.task];
        let own = ladder(&answer.task, schema);
        let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
        let written = deed_canon::parse(answer.text.trim().as_bytes()).ok();
        let valid_as_written = written.as_ref().is_some_and(|value| validator.is_valid(value));
        let climbed = climbed(&own, &answer.text);
        let accepted = is_accepted(&climbed);
        let place = format!("{} {} {} {}", answer.model, answer.task, answer.style, answer.seed);
        if let Some(payload) = climbed.payload.as_ref().filter(|_| accepted) {
            if !validator.is_valid(payload) || !has_types(schema, payload) {
                faults.push(format!("{place}: accepted and wrong by type: {payload}"));
            }
            let mut found = Vec::new();
            invented(payload, &plain(&answer.text), &mut found);
            if !found.is_empty() {
                faults.push(format!("{place}: not in the answer: {found:?}"));
            }
            let original = written.clone().unwrap_or_else(|| Value::String(answer.text.clone()));
            if undo(&climbed.report, payload) != Ok(original) {
                faults.push(format!("{place}: the answer does not come back"));
            }
        }
        if valid_as_written && (!accepted || climbed.payload != written) {
            faults.push(format!("{place}: valid as written and not left alone"));
        }
        for key in [format!("{} {}", answer.model, answer.style), format!("{} all", answer.model), "all".to_owned()] {
            let count = counts.entry(key).or_default();
            count.answers += 1;
            count.valid_as_written += usize::from(valid_as_written);
            count.valid_after_ladder += usize::from(accepted);
        }
    }
    for (key, count) in &counts {
        let share = |part: usize| 100 * part / count.answers;
        let (written, after) = (share(count.valid_as_written), share(count.valid_after_ladder));
        println!(
            "{key:<32} {:>4} answers, {written:>3} % valid as written, {after:>3} % after the ladder",
            count.answers
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    if std::env::var_os("DEED_BLESS").is_some() {
        let text = serde_json::to_string_pretty(&counts).unwrap();
        std::fs::write(folder().join("expected.json"), format!("{text}\n")).unwrap();
    }
    let expected: BTreeMap<String, Counts> = serde_json::from_str(&read("expected.json")).unwrap();
    assert_eq!(counts, expected, "DEED_BLESS=1 rewrites it; a ladder that accepts less needs a reason");
}

#[test]
fn climbing_twice_gives_the_same_and_changes_nothing() {
    let (tasks, answers) = recorded();
    for answer in &answers {
        let own = ladder(&answer.task, &tasks[&answer.task]);
        let (once, twice) = (climbed(&own, &answer.text), climbed(&own, &answer.text));
        assert_eq!(once.payload, twice.payload);
        assert_eq!(serde_json::to_value(&once.report).unwrap(), serde_json::to_value(&twice.report).unwrap());
        if let Some(payload) = once.payload.as_ref().filter(|_| is_accepted(&once)) {
            let again = climb(&own, Input::Value(payload), Phase::StepOutput, &Proposals::default());
            assert!(is_accepted(&again) && again.payload.as_ref() == Some(payload), "{} {}", answer.model, answer.task);
        }
    }
}

#[test]
fn the_recording_says_how_it_was_made() {
    let (tasks, answers) = recorded();
    let mut seen = BTreeSet::new();
    let mut models = BTreeSet::new();
    for answer in &answers {
        assert!(tasks.contains_key(&answer.task) && ["stop", "length"].contains(&answer.stop.as_str()));
        assert!((0.0..=2.0).contains(&answer.temperature) && answer.max_tokens > 0);
        assert!(seen.insert((&answer.model, &answer.task, &answer.style, answer.seed)), "an answer is there twice");
        models.insert(answer.model.as_str());
    }
    assert!(
        models.len() >= 2 && models.iter().all(|model| model.starts_with("smollm2") || model.starts_with("qwen2.5"))
    );
}
