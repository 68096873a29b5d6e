//! The fields of a document: a document enters, the paths of its values leave, items of lists marked by `*`.

use super::path::push_key;
use serde_json::Value;
use std::collections::BTreeSet;

/// The fields of a document.
pub(super) struct Fields {
    pub(super) all: Vec<String>,
    /// Those that are an empty list wherever they are given.
    pub(super) empty: BTreeSet<String>,
}

/// Every field of a document that holds a value of its own, items of lists of objects told by `*`.
pub(super) fn fields(document: &Value) -> Fields {
    let (mut found, mut empty, mut lists) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut left = vec![(String::new(), document)];
    while let Some((path, value)) = left.pop() {
        match value {
            Value::Object(map) if !map.is_empty() => {
                left.extend(map.iter().map(|(key, inner)| (push_key(&path, key), inner)));
            }
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
                left.extend(items.iter().map(|inner| (format!("{path}/*"), inner)));
                lists.insert(path);
            }
            _ if path.is_empty() => {}
            Value::Array(items) if items.is_empty() => {
                empty.insert(path);
            }
            _ => {
                found.insert(path);
            }
        }
    }
    // An item without fields goes where the fields of the others go.
    let has_fields = |path: &&String| {
        let start = format!("{path}/");
        path.ends_with("/*") && found.range(start.clone()..).next().is_some_and(|next| next.starts_with(&start))
    };
    let carried: BTreeSet<String> = found.iter().filter(has_fields).cloned().collect();
    found.retain(|path| !carried.contains(path));
    // A list that is empty here and full there goes where its items go.
    empty.retain(|path| !found.contains(path) && !lists.contains(path));
    found.extend(empty.iter().cloned());
    Fields { all: found.into_iter().collect(), empty }
}
