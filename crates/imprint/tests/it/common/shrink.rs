//! Makes a failing schema and instance as small as they fail.

use serde_json::Value;

/// The smallest pair found for which a check still fails.
pub(crate) fn shrink(schema: Value, instance: Value, fails: &dyn Fn(&Value, &Value) -> bool) -> (Value, Value) {
    let (mut schema, mut instance) = (schema, instance);
    for _ in 0..200 {
        let smaller = smaller(&schema).into_iter().find(|s| fails(s, &instance));
        if let Some(found) = smaller {
            schema = found;
            continue;
        }
        let Some(found) = self::smaller(&instance).into_iter().find(|i| fails(&schema, i)) else { break };
        instance = found;
    }
    (schema, instance)
}

/// All values with one thing less.
fn smaller(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(map) => {
            for key in map.keys() {
                let mut less = map.clone();
                less.remove(key);
                found.push(Value::Object(less));
            }
            for (key, child) in map {
                for inner in smaller(child) {
                    let mut less = map.clone();
                    less.insert(key.clone(), inner);
                    found.push(Value::Object(less));
                }
            }
        }
        Value::Array(items) => {
            for index in 0..items.len() {
                let mut less = items.clone();
                less.remove(index);
                found.push(Value::Array(less));
            }
            for (index, child) in items.iter().enumerate() {
                for inner in smaller(child) {
                    let mut less = items.clone();
                    less[index] = inner;
                    found.push(Value::Array(less));
                }
            }
        }
        Value::String(text) if !text.is_empty() && text.chars().count() > 8 => {
            found.push(Value::String(text.chars().take(8).collect()));
        }
        _ => {}
    }
    found
}
