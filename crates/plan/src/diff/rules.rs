//! The rules: for each place in a contract, what a difference there means. A place that has none is left to the judge,
//! who calls it breaking.

use super::change::PlanChangeClass::{self, Breaking, Compatible, Tightening};
use super::judge::{Judge, amount, gone_or_new, input_at, stricter};
use super::walk::{Difference, Op};
use deed_diag::quote;
use deed_model::{InputContract, OutputContract, OutputRole};
use serde_json::Value;

type Judgement = (PlanChangeClass, String);

const LOOSE_TO_STRICT: [&str; 2] = ["true", "false"];
const STRICT_IF_TRUE: [&str; 2] = ["false", "true"];
const DEMANDS: [&str; 3] = ["none", "preferred", "required"];

pub(super) fn judge(judge: &Judge<'_>, found: &Difference) -> Option<Judgement> {
    let pattern = found.pattern.as_str();
    if found.op == Op::Moved {
        return (!pattern.starts_with("execution_contract/adapt"))
            .then(|| (Compatible, format!("the order of {} is another", quote(&pattern.replace("/*", "")))));
    }
    let (top, inside) = pattern.split_once('/').unwrap_or((pattern, ""));
    match top {
        "io_contract" => io(judge, found, inside),
        "bindings" => bindings(judge, found, inside.strip_prefix("*/").unwrap_or("")),
        "artifact_contracts" => artifacts(judge, found, inside.strip_prefix("*/").unwrap_or("")),
        "execution_contract" => execution(found, inside),
        "allowed_tool_ids" => {
            Some(gone_or_new(found.op, Breaking, Tightening, &format!("its need of {}", key(found, 0))))
        }
        "validators" => validators(judge, found, inside.strip_prefix("*/").unwrap_or("")),
        "policy" => policy(judge, found, inside),
        "repair_policy" => repair(found, inside),
        "worst_case" => Some(amount(found, &format!("the most it can spend of {}", quote(inside)))),
        _ => plain(found, pattern),
    }
}

fn key(found: &Difference, index: usize) -> String {
    found.keys.get(index).map(|key| quote(key)).unwrap_or_default()
}

fn plain(found: &Difference, pattern: &str) -> Option<Judgement> {
    let worded = |what: &str| Some((Compatible, format!("its {what} is worded otherwise")));
    match (pattern, found.op) {
        ("label", _) => worded("label"),
        ("objective", _) => Some((Breaking, "its objective is another".to_owned())),
        ("objective_words", _) => worded("part of the mission's objective"),
        ("depends_on/*", Op::Added) => Some((Compatible, format!("it comes after {}", key(found, 0)))),
        ("depends_on/*", _) => {
            // Adapters come and go with what they adapt, which is judged by itself.
            let adapter = found.keys.first().is_some_and(|key| key.starts_with("adapt:"));
            let class = if adapter { Compatible } else { Breaking };
            Some((class, format!("it need not come after {}", key(found, 0))))
        }
        ("waits_for/*", Op::Added) => Some((Tightening, format!("it waits for gate {}", key(found, 0)))),
        ("waits_for/*", _) => Some((Breaking, format!("it no longer waits for gate {}", key(found, 0)))),
        ("success_criteria/*", op) => {
            Some(gone_or_new(op, Tightening, Breaking, &format!("success criterion {}", key(found, 0))))
        }
        _ => None,
    }
}

fn io(judge: &Judge<'_>, found: &Difference, inside: &str) -> Option<Judgement> {
    let (first, second) = (key(found, 0), key(found, 1));
    if let Some(inside) = inside.strip_prefix("inputs/*") {
        return input(judge, found, inside.trim_start_matches('/'));
    }
    Some(match (inside, found.op) {
        ("read_paths/*", Op::Added) => {
            let path = found.keys.first().map(String::as_str).unwrap_or_default();
            (judge.reads_more(path), format!("it reads {first}"))
        }
        ("read_paths/*", _) => (Compatible, format!("it no longer reads {first}")),
        ("write_paths/*", Op::Added) => (Compatible, format!("it writes {first} too")),
        ("write_paths/*", _) => {
            let path = found.keys.first().map(String::as_str).unwrap_or_default();
            let delivered = path.starts_with("output/");
            (Breaking, format!("{first} is no longer {}", if delivered { "delivered" } else { "written" }))
        }
        ("outputs/*", op) => gone_or_new(op, Compatible, Breaking, &format!("output {first}")),
        ("outputs/*/fields/*", op) => {
            gone_or_new(op, Compatible, Breaking, &format!("column {second} of output {first}"))
        }
        ("outputs/*/provenance_fields/*", op) => {
            gone_or_new(op, Compatible, Breaking, &format!("provenance field {second} of output {first}"))
        }
        ("outputs/*/grain/*", _) => (Breaking, format!("a row of output {first} stands for something else")),
        ("outputs/*/role", _) => {
            let at = found.spots.first().and_then(|(before, after)| before.zip(*after));
            let role = |outputs: &[OutputContract], at: usize| outputs.get(at).map(|output| output.role);
            let roles = at.and_then(|(before, after)| {
                role(&judge.old.io_contract.outputs, before).zip(role(&judge.new.io_contract.outputs, after))
            });
            match roles {
                Some((before, after)) if after < before => {
                    (Compatible, format!("output {first} counts for more to the mission"))
                }
                Some((_, OutputRole::Intermediate)) => (Breaking, format!("output {first} is no longer delivered")),
                _ => (Breaking, format!("output {first} counts for less to the mission")),
            }
        }
        ("outputs/*/path", _) => (Breaking, format!("output {first} is written elsewhere")),
        ("outputs/*/kind_key", _) => (Breaking, format!("output {first} has another form")),
        ("outputs/*/entity_schema_id", _) => (Breaking, format!("output {first} means something else")),
        _ => return None,
    })
}

fn input(judge: &Judge<'_>, found: &Difference, inside: &str) -> Option<Judgement> {
    let slot = key(found, 0);
    let spots = found.spots.first().copied().unwrap_or_default();
    let side = |inputs: &[InputContract], at: Option<usize>| at.and_then(|at| inputs.get(at).cloned());
    let new = side(&judge.new.io_contract.inputs, spots.1);
    let needed = new.as_ref().is_none_or(|input| input.required);
    Some(match (inside, found.op) {
        ("", Op::Added) if needed => (Breaking, format!("it needs input {slot}")),
        ("", Op::Added) => {
            // An input in place of another one is not an addition.
            let other = new.as_ref().is_some_and(|input| judge.lost_one(&input.slot));
            (if other { Breaking } else { Compatible }, format!("it takes input {slot} if there is one"))
        }
        ("", _) => (Compatible, format!("it no longer takes input {slot}")),
        ("required", _) if needed => (Breaking, format!("it cannot do without input {slot} any more")),
        ("required", _) => (Compatible, format!("it can do without input {slot}")),
        ("path", _) => {
            let class = spots.0.zip(spots.1).map_or(Breaking, |(old, new)| judge.read_elsewhere(old, new));
            (class, format!("input {slot} is read at another place"))
        }
        ("kind_key", _) if found.before == Some(Value::Null) && !needed => {
            (Compatible, format!("the optional input {slot} is given now"))
        }
        ("kind_key", _) => (Breaking, format!("input {slot} is read in another form")),
        ("entity_schema_id", _) => (Breaking, format!("input {slot} means something else")),
        ("grain/*", _) => (Breaking, format!("a row of input {slot} stands for something else")),
        ("fields/*", Op::Added) => (Breaking, format!("it needs column {} of input {slot}", key(found, 1))),
        ("fields/*", _) => (Compatible, format!("it no longer needs column {} of input {slot}", key(found, 1))),
        ("provenance", _) => stricter(found, &DEMANDS, &format!("what input {slot} asks of provenance")),
        ("role", _) => (Breaking, format!("input {slot} has another role for the adapter")),
        ("entity_hash" | "derived_schema", Op::Added) => (Tightening, format!("input {slot} is held to its entity")),
        _ => return None,
    })
}

fn bindings(judge: &Judge<'_>, found: &Difference, inside: &str) -> Option<Judgement> {
    let slot = key(found, 0);
    let spots = found.spots.first().copied().unwrap_or_default();
    let old = spots.0.and_then(|at| judge.old.bindings.get(at));
    let new = spots.1.and_then(|at| judge.new.bindings.get(at));
    let adapted = old.zip(new).is_some_and(|(old, new)| judge.only_adapted(old.input, new.input));
    let moved = if adapted { Compatible } else { Breaking };
    Some(match (inside, found.op) {
        ("", Op::Added) => {
            let input = new.and_then(|new| judge.new.io_contract.inputs.get(new.input));
            let class = if input.is_some_and(|input| !input.required) { Compatible } else { Breaking };
            (class, format!("input {slot} is bound"))
        }
        ("", _) => {
            let left = old.is_some_and(|old| judge.counterpart(false, old.input).is_some());
            (if left { Breaking } else { Compatible }, format!("input {slot} is no longer bound"))
        }
        ("input", _) => (Compatible, format!("input {slot} stands at another place among the inputs")),
        ("why", _) => (Compatible, format!("why input {slot} is bound so is worded otherwise")),
        ("by" | "by/*", _) => (moved, format!("other adapters lead to input {slot}")),
        ("drops" | "drops/*", Op::Removed) => (Compatible, format!("less is lost on the way to input {slot}")),
        ("drops" | "drops/*", _) => (Breaking, format!("more is lost on the way to input {slot}")),
        ("rank", _) => match (found.before.as_ref()?.as_str()?, found.after.as_ref()?.as_str()?) {
            (_, "generic") => (Breaking, format!("input {slot} is bound to generic data")),
            ("generic", _) => (Tightening, format!("input {slot} is no longer bound to generic data")),
            ("by_adapter", _) | (_, "by_adapter") => (moved, format!("input {slot} is bound with other adapters")),
            _ => (Compatible, format!("input {slot} is bound at another rank")),
        },
        ("producer/step", _) => (Breaking, format!("input {slot} has another producer")),
        ("producer/path" | "producer/kind_key", _) => (moved, format!("input {slot} is given otherwise")),
        _ => return None,
    })
}

fn artifacts(judge: &Judge<'_>, found: &Difference, inside: &str) -> Option<Judgement> {
    let path = key(found, 0);
    Some(match (inside, found.op) {
        ("", Op::Added) => {
            let known = found.keys.first().is_some_and(|path| judge.old.io_contract.write_paths.contains(path));
            (if known { Tightening } else { Compatible }, format!("it is said what {path} must be"))
        }
        ("", _) => (Breaking, format!("it is no longer said what {path} must be")),
        ("required_top_level_type", Op::Added) => (Tightening, format!("it is said what is outermost in {path}")),
        ("required_fields/*", op) => {
            gone_or_new(op, Tightening, Breaking, &format!("required column {} of {path}", key(found, 1)))
        }
        ("derived", _) => (Compatible, format!("whether the plan itself says what {path} must be is another")),
        _ => return None,
    })
}

fn execution(found: &Difference, inside: &str) -> Option<Judgement> {
    Some(match (inside, found.op) {
        ("routing/why", _) => (Compatible, "why it runs there is worded otherwise".to_owned()),
        ("routing/backend", _) => (Breaking, "it runs elsewhere".to_owned()),
        ("pattern", _) => (Breaking, "its work is done in another way".to_owned()),
        ("tool_budget", _) => amount(found, "the number of tool calls in one attempt"),
        ("side_effects/*", op) => {
            let effect = found.after.as_ref().or(found.before.as_ref());
            let part =
                |name: &str| effect.and_then(|e| e.get(name)).and_then(Value::as_str).map(quote).unwrap_or_default();
            let what = format!("side effect {} on {}", part("action"), part("target"));
            gone_or_new(op, Breaking, Breaking, &what)
        }
        ("for_each/most_items", _) => amount(found, "the number of items it works through"),
        ("for_each/calls_per_item", _) => amount(found, "the number of calls for each item"),
        (part, _) if part.starts_with("attempt/") => {
            amount(found, &format!("what an attempt may spend of {}", quote(part.trim_start_matches("attempt/"))))
        }
        ("sandbox/minimum", _) => stricter(found, &["L0", "L1", "L2", "L3"], "the least isolation of its code"),
        (part, _) if part.starts_with("sandbox/limits/") => {
            amount(found, &format!("its limit {}", quote(part.trim_start_matches("sandbox/limits/"))))
        }
        ("loss", _) => match stricter(found, &["lossy", "typed", "none"], "what its adapter loses") {
            (Tightening, words) => (Compatible, words),
            other => other,
        },
        _ => return None,
    })
}

fn validators(judge: &Judge<'_>, found: &Difference, inside: &str) -> Option<Judgement> {
    let check = found.keys.first().cloned().unwrap_or_default();
    let text = |value: &Option<Value>, name: &str| value.as_ref()?.get(name)?.as_str().map(str::to_owned);
    Some(match (inside, found.op) {
        ("", Op::Added) => {
            let path = text(&found.after, "path")?;
            let new = match text(&found.after, "phase")?.as_str() {
                "step_input" => input_at(judge.new, &path)
                    .is_some_and(|(at, _)| judge.counterpart(true, at).is_none_or(|(_, old)| old.path.is_none())),
                _ => !judge.old.io_contract.write_paths.contains(&path),
            };
            (if new { Compatible } else { Tightening }, format!("the check {} is new", quote(&check)))
        }
        ("", _) => {
            let path = text(&found.before, "path")?;
            let input = text(&found.before, "phase")?.as_str() == "step_input";
            let left = input_at(judge.old, &path).is_some_and(|(at, _)| judge.counterpart(false, at).is_none());
            // An adapter that stands before the input now holds what it gives to the same entity.
            let there = input_at(judge.old, &path).and_then(|(at, _)| judge.counterpart(false, at));
            let adapted = there.is_some_and(|(new, _)| {
                judge.new.bindings.iter().any(|binding| binding.input == new && !binding.by.is_empty())
            });
            let class = if input && (left || adapted) { Compatible } else { Breaking };
            (class, format!("the check {} is gone", quote(&check)))
        }
        ("mode", _) => stricter(found, &["off", "report", "block"], &format!("the check {}", quote(&check))),
        ("phase", _) if found.after == Some(Value::from("final_output")) => {
            (Compatible, format!("the check {} is made of what is delivered", quote(&check)))
        }
        ("path", _) => {
            let spots = found.spots.first().copied().unwrap_or_default();
            let path = |validators: &[deed_model::Validator], at: Option<usize>| {
                at.and_then(|at| validators.get(at)).map(|validator| validator.path.clone())
            };
            let old =
                path(&judge.old.validators, spots.0).and_then(|path| input_at(judge.old, &path).map(|(at, _)| at));
            let new =
                path(&judge.new.validators, spots.1).and_then(|path| input_at(judge.new, &path).map(|(at, _)| at));
            let class = old.zip(new).map_or(Breaking, |(old, new)| judge.read_elsewhere(old, new));
            (class, format!("the check {} is made at another place", quote(&check)))
        }
        _ => return None,
    })
}

fn policy(judge: &Judge<'_>, found: &Difference, inside: &str) -> Option<Judgement> {
    Some(match inside {
        "rules/adapters" => stricter(found, &["any", "keeps_values", "none"], "which adapters may be put in"),
        "rules/generic" => stricter(found, &LOOSE_TO_STRICT, "whether generic data may be bound"),
        "rules/bare_paths" => stricter(found, &LOOSE_TO_STRICT, "whether files may be read by a bare path"),
        "rules/unknown_columns" => stricter(found, &LOOSE_TO_STRICT, "whether unknown columns may be written"),
        "rules/provenance" => stricter(found, &DEMANDS, "what is asked of provenance"),
        "rules/effects_need_gate" => stricter(found, &STRICT_IF_TRUE, "whether effects wait for a person"),
        "rules/explicit_contracts" => stricter(found, &STRICT_IF_TRUE, "whether contracts have to be written down"),
        "policy_profile_ids/*" => {
            let (old, new) = (judge.old.policy.rules, judge.new.policy.rules);
            let class = match old.and(new) {
                _ if old == new => Compatible,
                both if both == new => Tightening,
                _ => Breaking,
            };
            gone_or_new(found.op, class, class, &format!("policy {}", key(found, 0)))
        }
        _ => return None,
    })
}

fn repair(found: &Difference, inside: &str) -> Option<Judgement> {
    Some(match inside {
        "max_retries" => amount(found, "the number of retries"),
        "strategy" => stricter(found, &["retry_same_contract", "none"], "what a retry may change"),
        "immutable_output_bindings" => stricter(found, &STRICT_IF_TRUE, "whether a retry writes to the same places"),
        _ => return None,
    })
}
