//! The item that an evaluation is about, so that one that was not judged can be told from one that was judged later.

use deed_canon::ContentHash;
use serde_json::{Value, json};

/// The item of an evaluation: by its own name, by its evidence, or by the path of its bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedItem {
    /// All names of it, the most telling first.
    names: Vec<String>,
}

impl JudgedItem {
    /// Names the item of a bundle. One that cannot be read has only the path.
    pub(super) fn of(written: &Value, path: Option<&str>) -> Self {
        let id = written.get("item_id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = id.map(|id| format!("item {id}"));
        let parts = ["source_evidence", "sources", "derived_evidence", "derived"].map(|name| written.get(name));
        let evidence = parts.iter().any(Option::is_some).then(|| {
            let whole = json!(parts).to_string();
            format!("evidence {}", ContentHash::of_bytes(whole.as_bytes()))
        });
        let path = path.map(|path| format!("path {path}"));
        Self { names: id.into_iter().chain(evidence).chain(path).collect() }
    }

    /// Returns whether a later judgement is about the same item: it has the most telling name of this one.
    pub(crate) fn is_settled_by(&self, later: &Self) -> bool {
        self.names.first().is_some_and(|name| later.names.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_settled_by_its_most_telling_name() {
        let of = |bundle: Value, path: Option<&str>| JudgedItem::of(&bundle, path);
        let named = of(json!({ "item_id": "a", "sources": { "n": 1 } }), Some("work/b.json"));
        assert!(named.is_settled_by(&of(json!({ "item_id": "a", "sources": { "n": 2 } }), None)));
        // The same file with another item is another item.
        assert!(!named.is_settled_by(&of(json!({ "item_id": "b", "sources": { "n": 1 } }), Some("work/b.json"))));
        let unnamed = of(json!({ "derived_evidence": [{ "path": "output/a.json", "role": "a" }] }), None);
        assert!(unnamed.is_settled_by(&unnamed));
        assert!(!unnamed.is_settled_by(&of(json!({ "sources": { "n": 1 } }), None)));
        let unread = of(Value::Null, Some("work/b.json"));
        assert!(unread.is_settled_by(&named) && !unread.is_settled_by(&unnamed));
        assert!(!of(Value::Null, None).is_settled_by(&of(Value::Null, None)));
    }
}
