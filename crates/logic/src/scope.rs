//! Data in several places, read as one object.

use serde_json::{Map, Value};
use std::cell::Cell;

/// An object made of a map and of fields that override it, without copying either.
///
/// A caller that evaluates many rules over a large request and a few values of its own builds one of these instead of
/// one large document.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    base: &'a Map<String, Value>,
    over: &'a [(&'a str, &'a Value)],
    unknown: Option<Unknown<'a>>,
}

/// A field whose value is not known yet, and a mark that is set when it is read.
#[derive(Clone, Copy, Debug)]
struct Unknown<'a> {
    name: &'a str,
    read: &'a Cell<bool>,
}

impl<'a> Scope<'a> {
    /// Creates a scope of the fields of `base`, overridden by those of `over`.
    pub fn new(base: &'a Map<String, Value>, over: &'a [(&'a str, &'a Value)]) -> Self {
        Self { base, over, unknown: None }
    }

    /// Returns the same data with a field that is not known yet. Reading it finds nothing and sets the mark.
    pub(crate) fn without(self, name: &'a str, read: &'a Cell<bool>) -> Self {
        Self { unknown: Some(Unknown { name, read }), ..self }
    }

    /// Returns a field by name.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        if let Some(unknown) = self.unknown.filter(|unknown| unknown.name == name) {
            unknown.read.set(true);
            return None;
        }
        match self.over.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => Some(value),
            None => self.base.get(name),
        }
    }

    /// Iterates over all fields, those of the map first.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        if let Some(unknown) = self.unknown {
            unknown.read.set(true);
        }
        let over = self.over;
        let shadowed = move |name: &str| over.iter().any(|(key, _)| *key == name);
        let base = self.base.iter().map(|(name, value)| (name.as_str(), value));
        base.filter(move |(name, _)| !shadowed(name)).chain(over.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;
    use crate::{Mode, Program};
    use serde_json::{Value, json};

    /// One rule over a scope and over the same data as one document.
    fn same(rule: &Value, mode: Mode) {
        let base = json!({"user": {"role": "agent"}, "n": 3, "env": {"region": "old"}});
        let (env, request) = (json!({"region": "new"}), json!({"context": {"amount": 5, "items": [1, 2]}}));
        let over = [("env", &env), ("request", &request)];
        let map = base.as_object().unwrap();
        let scope = Scope::new(map, &over);
        let whole: Value = Value::Object(scope.entries().map(|(k, v)| (k.to_owned(), v.clone())).collect());
        let program = Program::compile(rule, mode).unwrap();
        assert_eq!(program.eval_in(&scope), program.eval(&whole), "{rule}");
        assert_eq!(program.test_in(&scope), program.test(&whole), "{rule}");
        assert_eq!(program.explain_in(&scope), program.explain(&whole), "{rule}");
    }

    #[test]
    fn a_scope_reads_like_one_document() {
        for rule in [
            json!({"==": [{"var": "user.role"}, "agent"]}),
            json!({"==": [{"var": "env.region"}, "new"]}),
            json!({">": [{"var": "request.context.amount"}, {"var": "n"}]}),
            json!({"var": "request.context.zz"}),
            json!({"var": ""}),
            json!({"==": [{"var": ""}, {"var": ""}]}),
            json!({"!": [{"var": ""}]}),
            json!({"missing": ["n", "zz", "request.context.amount"]}),
            json!({"some": [{"var": "request.context.items"}, {">": [{"var": ""}, 1]}]}),
            json!({"map": [[1], {"var": "n"}]}),
            json!({"cat": [{"var": ""}]}),
            json!({"in": [{"var": ""}, [{"var": ""}]]}),
            json!({"if": [{"var": ""}, 1, 2]}),
        ] {
            same(&rule, Mode::Strict);
            same(&rule, Mode::Compat);
        }
    }
}
