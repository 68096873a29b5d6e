//! Types inferred from sample data.

use serde_json::Value;

use super::Ty;

impl Ty {
    /// Infers the type of a sample: its fields are all there are, and all required.
    pub fn infer(sample: &Value) -> Ty {
        match sample {
            Value::Null => Ty::Null,
            Value::Bool(_) => Ty::Bool,
            Value::Number(_) => Ty::NUMBER,
            Value::String(_) => Ty::STRING,
            Value::Array(items) => Ty::Array(Box::new(Ty::union(items.iter().map(Ty::infer)))),
            Value::Object(fields) => Ty::Object {
                fields: fields.iter().map(|(name, value)| (name.clone(), Ty::infer(value))).collect(),
                required: fields.keys().cloned().collect(),
                open: false,
            },
        }
    }
}
