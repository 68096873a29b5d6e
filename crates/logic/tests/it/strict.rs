//! Strict mode against a second evaluator, written from the description in the crate's documentation and sharing no
//! code with the first.

use crate::common::Random;
use deed_logic::{Mode, Program};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// An error of any kind; the second evaluator does not say which.
struct Failed;

type Answer<T> = Result<T, Failed>;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strict_agrees_with_a_second_evaluator(seed in any::<u64>()) {
        let mut r = Random::new(seed);
        let depth = r.below(4);
        let rule = if r.below(2) == 0 {
            crate::common::condition(&mut r, depth)
        } else {
            crate::common::predicate(&mut r, depth)
        };
        let program = Program::compile(&rule, Mode::Strict).unwrap();
        for _ in 0..8 {
            let data = crate::common::context(&mut r);
            let expected = holds(&rule, &data).ok();
            prop_assert_eq!(program.test(&data).ok(), expected, "{} on {}", rule, data);
            let expected = value(&rule, &data).ok();
            prop_assert_eq!(program.eval(&data).ok().map(plain), expected.map(plain), "{} on {}", rule, data);
        }
    }
}

#[test]
fn the_rules_reach_every_kind_of_condition() {
    let mut r = Random::new(11);
    let (mut held, mut failed, mut erred) = (0, 0, 0);
    for _ in 0..2000 {
        let rule = crate::common::condition(&mut r, 2);
        match holds(&rule, &crate::common::context(&mut r)) {
            Ok(true) => held += 1,
            Ok(false) => failed += 1,
            Err(Failed) => erred += 1,
        }
    }
    assert!(held > 300 && failed > 300 && erred > 300, "held {held}, failed {failed}, erred {erred}");
}

/// The truth of a rule in a boolean position.
fn holds(rule: &Value, data: &Value) -> Answer<bool> {
    let found = value(rule, data)?;
    match (operator(rule), &found) {
        (_, Value::Bool(truth)) => Ok(*truth),
        (Some(("missing" | "missing_some", _)), Value::Array(list)) => Ok(!list.is_empty()),
        _ => Err(Failed),
    }
}

fn value(rule: &Value, data: &Value) -> Answer<Value> {
    let Some((op, args)) = operator(rule) else {
        return match rule {
            Value::Array(items) => {
                items.iter().map(|item| value(item, data)).collect::<Answer<Vec<_>>>().map(Value::from)
            }
            other => Ok(other.clone()),
        };
    };
    let arg = |i: usize| value(&args[i], data);
    Ok(match op {
        "and" | "or" => {
            for operand in &args {
                if holds(operand, data)? == (op == "or") {
                    return Ok(json!(op == "or"));
                }
            }
            json!(op == "and")
        }
        "!" => json!(!holds(&args[0], data)?),
        "!!" => json!(holds(&args[0], data)?),
        "if" if holds(&args[0], data)? => arg(1)?,
        "if" => arg(2)?,
        "var" => match at(data, args[0].as_str().ok_or(Failed)?) {
            Some(found) => found,
            None if args.len() > 1 => arg(1)?,
            None => return Err(Failed),
        },
        "missing" => json!(absent(&flat(&args), data)?),
        "missing_some" => {
            let keys = args[1].as_array().ok_or(Failed)?.clone();
            let absent = absent(&keys, data)?;
            let there = u64::try_from(keys.len() - absent.len()).unwrap();
            json!(if there >= args[0].as_u64().ok_or(Failed)? { Vec::new() } else { absent })
        }
        "==" | "!=" => {
            let (a, b) = (arg(0)?, arg(1)?);
            if !a.is_null() && !b.is_null() && kind(&a) != kind(&b) {
                return Err(Failed);
            }
            json!((plain(a) == plain(b)) == (op == "=="))
        }
        "===" => json!(plain(arg(0)?) == plain(arg(1)?)),
        "!==" => json!(plain(arg(0)?) != plain(arg(1)?)),
        "<" | "<=" | ">" | ">=" => {
            let values: Vec<Value> = (0..args.len()).map(arg).collect::<Answer<_>>()?;
            let orders = values.windows(2).map(|pair| order(&pair[0], &pair[1])).collect::<Answer<Vec<_>>>()?;
            json!(orders.iter().all(|order| match op {
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                ">" => order.is_gt(),
                _ => order.is_ge(),
            }))
        }
        "in" => {
            let (needle, haystack) = (plain(arg(0)?), arg(1)?);
            json!(haystack.as_array().ok_or(Failed)?.iter().any(|item| plain(item.clone()) == needle))
        }
        "some" | "all" | "none" => {
            let over = arg(0)?;
            let over = over.as_array().ok_or(Failed)?;
            for element in over {
                if holds(&args[1], element)? == (op != "all") {
                    return Ok(json!(op == "some"));
                }
            }
            json!(op == "none" || (op == "all" && !over.is_empty()))
        }
        "+" => {
            let sum: f64 = (0..args.len()).map(|i| arg(i)?.as_f64().ok_or(Failed)).sum::<Answer<f64>>()?;
            json!(sum)
        }
        "merge" => {
            let values: Vec<Value> = (0..args.len()).map(arg).collect::<Answer<_>>()?;
            json!(flat(&values))
        }
        other => panic!("the generators do not use `{other}`"),
    })
}

/// The operator of a rule and its arguments, if it is an operation.
fn operator(rule: &Value) -> Option<(&str, Vec<Value>)> {
    let (op, args) = rule.as_object()?.iter().next()?;
    Some((op, args.as_array().cloned().unwrap_or_else(|| vec![args.clone()])))
}

fn flat(values: &[Value]) -> Vec<Value> {
    values.iter().flat_map(|value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()])).collect()
}

fn at(data: &Value, path: &str) -> Option<Value> {
    let mut here = data.clone();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        here = match (&here, part) {
            (Value::Array(items), "length") => json!(items.len()),
            (Value::Array(items), index) => items.get(index.parse::<usize>().ok()?)?.clone(),
            (Value::Object(fields), name) => fields.get(name)?.clone(),
            _ => return None,
        };
    }
    Some(here)
}

fn absent(keys: &[Value], data: &Value) -> Answer<Vec<Value>> {
    let there = |key: &Value| key.as_str().map(|path| at(data, path).is_some()).ok_or(Failed);
    let mut out = Vec::new();
    for key in keys {
        if !there(key)? {
            out.push(key.clone());
        }
    }
    Ok(out)
}

fn order(a: &Value, b: &Value) -> Answer<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64().partial_cmp(&b.as_f64()).ok_or(Failed),
        (Value::String(a), Value::String(b)) => Ok(a.encode_utf16().cmp(b.encode_utf16())),
        _ => Err(Failed),
    }
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// The value with every number as a float, so that 3 and 3.0 are one.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(n) => json!(n.as_f64()),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        other => other,
    }
}
