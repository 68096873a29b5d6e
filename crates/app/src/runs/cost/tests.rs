//! The sums of a cost report are what the budget has committed, for random histories of calls: processes that die with a call
//! under way, attempts that fail, replies of transcripts, and calls without an end.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

use super::{CostSum, of_state};
use deed_canon::ContentHash;
use deed_model::RunEvent;
use deed_runtime::RunState;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A call of a model inside a governed call.
#[derive(Debug, Clone)]
struct Ask {
    /// Tokens that are reserved; money is twice as much.
    reserved: u64,
    /// Processes that died while it was under way.
    lost: u64,
    end: End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    /// A provider answered, for so many tokens.
    Asked(u64),
    /// A transcript answered, for nothing.
    Replayed,
    /// It failed, for so many tokens.
    Failed(u64),
    /// It has no end: the attempt failed, or the process is gone.
    Open,
}

/// An attempt of a step: its calls of models, and whether the governed call around them was answered.
#[derive(Debug, Clone)]
struct Attempt {
    asks: Vec<Ask>,
    answered: bool,
}

fn asks() -> impl Strategy<Value = Ask> {
    let end = prop_oneof![
        5 => (0..400u64).prop_map(End::Asked),
        2 => Just(End::Replayed),
        2 => (0..400u64).prop_map(End::Failed),
        1 => Just(End::Open),
    ];
    (400..900u64, prop_oneof![4 => Just(0u64), 1 => 1..3u64], end).prop_map(|(reserved, lost, end)| Ask {
        reserved,
        lost,
        end,
    })
}

/// Steps with their attempts.
fn histories() -> impl Strategy<Value = Vec<Vec<Attempt>>> {
    let attempt = (prop::collection::vec(asks(), 0..4), any::<bool>());
    let attempt = attempt.prop_map(|(mut asks, answered)| {
        // Nothing comes after a call that has no end.
        if let Some(open) = asks.iter().position(|ask| ask.end == End::Open) {
            asks.truncate(open + 1);
        }
        let answered = answered && asks.iter().all(|ask| ask.end != End::Open);
        Attempt { asks, answered }
    });
    prop::collection::vec(prop::collection::vec(attempt, 1..4), 1..4)
}

fn hash(text: &str) -> String {
    ContentHash::of_bytes(text.as_bytes()).to_string()
}

fn budget(tokens: u64) -> Value {
    json!({ "model_tokens": tokens, "money_micros": 2 * tokens })
}

/// The events of a history, as the runtime records them.
fn events(history: &[Vec<Attempt>]) -> Vec<RunEvent> {
    let mut events = Vec::new();
    for (step, attempts) in history.iter().enumerate() {
        let step = format!("s{step}");
        for (attempt, own) in (1..).zip(attempts) {
            events.push(json!({ "kind": "step_started", "step": step, "attempt": attempt }));
            events.push(call_began(&step));
            let mut spent = 0;
            for (place, ask) in own.asks.iter().enumerate() {
                let key = hash(&format!("{step} {attempt} {place}"));
                for time in 0..=ask.lost {
                    if time > 0 {
                        // Another process begins the same attempt again.
                        events.push(json!({ "kind": "step_started", "step": step, "attempt": attempt }));
                        events.push(call_began(&step));
                    }
                    events.push(json!({ "kind": "model_call_began", "call": {
                        "step": step, "attempt": attempt, "call": format!("{step}-call"), "ask": place, "key": key,
                        "occurrence": 0, "consumer_key": "operator_evaluator", "model": "anthropic:m", "value": hash("value"),
                        "context": hash("context"), "reserved": budget(ask.reserved),
                    } }));
                }
                let actual = paid(ask);
                spent += actual;
                let source = |source: &str| json!({ "outcome": "replied", "reply": hash("reply"), "origin": "written_by_hand", "source": source });
                let outcome = match ask.end {
                    End::Asked(_) => source("provider"),
                    End::Replayed => source("transcript"),
                    End::Failed(_) => json!({ "outcome": "failed", "kind": "rejected", "message": "no" }),
                    End::Open => continue,
                };
                events.push(json!({ "kind": "model_call_ended", "answer": {
                    "step": step, "key": key, "outcome": outcome, "spent": budget(actual),
                } }));
            }
            if own.answered {
                events.push(json!({ "kind": "call_ended", "answer": {
                    "step": step, "key": format!("{step}-call"), "spent": budget(spent),
                    "outcome": { "outcome": "result", "value": null },
                } }));
            }
            if usize::try_from(attempt).unwrap() < attempts.len() {
                events.push(json!({ "kind": "step_failed", "step": step, "attempt": attempt, "again_after_ms": 1,
                    "spent": { "wall_seconds": 1 },
                    "failure": { "class": "tool_bridge", "code": "D2030", "message": "failed" } }));
            }
        }
    }
    events
        .into_iter()
        .map(|event| serde_json::from_value(event.clone()).unwrap_or_else(|e| panic!("{e}: {event}")))
        .collect()
}

fn call_began(step: &str) -> Value {
    json!({ "kind": "call_began", "call": {
        "step": step, "key": format!("{step}-call"), "tool": "operator.artifact.evaluate", "arguments_hash": hash("arguments"),
        "occurrence": 0, "reserved": {}, "summary": "judges", "repeatable": true,
    } })
}

/// What a call of a model costs in the end: each time that its process died counts with the whole reservation.
fn paid(ask: &Ask) -> u64 {
    ask.lost * ask.reserved
        + match ask.end {
            End::Asked(tokens) | End::Failed(tokens) => tokens,
            End::Replayed => 0,
            End::Open => ask.reserved,
        }
}

proptest! {
    #[test]
    fn the_sums_are_those_of_the_budget(history in histories()) {
        let state = RunState::of(events(&history).iter());
        let cost = of_state("one", &state, &|_| None);
        let all: Vec<&Ask> = history.iter().flatten().flat_map(|attempt| &attempt.asks).collect();
        // Independent of the fold: from the history itself.
        let tokens: u64 = all.iter().map(|ask| paid(ask)).sum();
        let ended = |of: fn(&End) -> bool| all.iter().filter(|ask| of(&ask.end)).count() as u64;
        prop_assert_eq!((cost.total.tokens, cost.total.money_micros), (tokens, 2 * tokens));
        prop_assert_eq!(cost.total.lost, all.iter().map(|ask| ask.lost).sum::<u64>());
        prop_assert_eq!(cost.total.asked, ended(|end| matches!(end, End::Asked(_))));
        prop_assert_eq!(cost.total.replayed, ended(|end| *end == End::Replayed));
        prop_assert_eq!(cost.total.failed, ended(|end| matches!(end, End::Failed(_))));
        prop_assert_eq!(cost.total.open, ended(|end| *end == End::Open));
        // What the budget has committed.
        let committed = state.total_spent();
        prop_assert_eq!(committed.model_tokens.unwrap_or(0), tokens);
        prop_assert_eq!(committed.money_micros.unwrap_or(0), 2 * tokens);
        // Rows and calls add up to the same.
        let mut rows = CostSum::default();
        cost.rows.iter().for_each(|row| rows.plus(&row.sum));
        prop_assert_eq!(&rows, &cost.total);
        let of_calls: u64 = cost.calls.iter().filter_map(|call| call.spent.model_tokens).sum();
        prop_assert_eq!(of_calls, tokens);
        let by_step = history.iter().enumerate().map(|(step, attempts)| {
            let own = attempts.iter().flat_map(|attempt| &attempt.asks).map(paid).sum::<u64>();
            (format!("s{step}"), own)
        });
        let by_step: BTreeMap<String, u64> = by_step.filter(|(_, own)| *own > 0).collect();
        let rows = cost.rows.iter().map(|row| (row.step.clone(), row.sum.tokens)).filter(|(_, own)| *own > 0);
        prop_assert_eq!(rows.collect::<BTreeMap<String, u64>>(), by_step);
    }
}
