//! Values that a caller sets in a request or a run without editing their files.
//!
//! A path is the one that rules read: `request.context.refund_amount`, `user.role`. It begins with `request`, which is the
//! request, or is a field of the run context.

use crate::error::AppError;
use deed_diag::{Diagnostic, codes, quote};
use serde_json::{Map, Value};

/// A value for one path.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The path, as rules read it.
    path: String,
    /// The document that it is in, and the names that lead to it there.
    place: Place,
    /// The value.
    value: Value,
}

/// The place of a path in its document.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    side: Side,
    names: Vec<String>,
}

/// The document that a path leads into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Request,
    Run,
}

impl Assignment {
    /// Reads `PATH=VALUE`. The value is JSON, or text where it is none.
    ///
    /// # Errors
    /// The text has no `=`, or the path is empty.
    pub fn parse(text: &str) -> Result<Self, AppError> {
        let (path, value) = text
            .split_once('=')
            .ok_or_else(|| malformed(text, "write it as `PATH=VALUE`, without blanks around `=`"))?;
        let value = deed_canon::parse(value.as_bytes()).unwrap_or_else(|_| Value::from(value));
        Self::new(path, value)
    }

    /// A value for a path.
    ///
    /// # Errors
    /// The path is empty, or has an empty part.
    pub fn new(path: &str, value: Value) -> Result<Self, AppError> {
        Ok(Self { path: path.to_owned(), place: Place::of(path)?, value })
    }

    /// The path, as rules read it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Sets the value in the document that it belongs to; leaves the other one alone.
    pub(super) fn apply(&self, side: Side, document: &mut Value) -> Result<(), AppError> {
        if self.place.side != side {
            return Ok(());
        }
        let mut here = document;
        let (last, parents) = self.place.names.split_last().ok_or_else(|| malformed(&self.path, PATHS))?;
        for name in parents {
            let fields = here.as_object_mut().ok_or_else(|| self.through(name))?;
            here = fields.entry(name.as_str()).or_insert_with(|| Value::Object(Map::new()));
        }
        let fields = here.as_object_mut().ok_or_else(|| self.through(last))?;
        fields.insert(last.clone(), self.value.clone());
        Ok(())
    }

    fn through(&self, name: &str) -> AppError {
        let help = format!("what stands before {} is not an object", quote(name));
        malformed(&self.path, &help)
    }
}

const PATHS: &str = "paths are those that rules read, such as `request.context.refund_amount` or `user.role`";

impl Place {
    fn of(path: &str) -> Result<Self, AppError> {
        let names: Vec<String> = path.split('.').map(str::to_owned).collect();
        if names.iter().any(String::is_empty) {
            return Err(malformed(path, PATHS));
        }
        match names.split_first() {
            Some((first, [])) if first == "request" || first == "run" => Err(malformed(path, PATHS)),
            Some((first, rest)) if first == "request" => {
                // Rules read the input of a request as the request itself.
                let is_input =
                    rest.first().is_some_and(|name| ["context", "message", "intent"].contains(&name.as_str()));
                let input = is_input.then(|| "input".to_owned());
                Ok(Self { side: Side::Request, names: input.into_iter().chain(rest.iter().cloned()).collect() })
            }
            Some((first, rest)) if first == "run" => Ok(Self { side: Side::Run, names: rest.to_vec() }),
            _ => Ok(Self { side: Side::Run, names }),
        }
    }
}

fn malformed(text: &str, help: &str) -> AppError {
    let message = format!("{} sets nothing", quote(text));
    let diagnostic = Diagnostic::error(codes::INPUT_SHAPE, message).stage("usage").help(help);
    AppError::usage(crate::conceal::diagnostic(diagnostic))
}

#[cfg(test)]
mod tests {
    use super::{Assignment, Side};
    use serde_json::{Value, json};

    fn set(text: &str) -> (Value, Value) {
        let (mut request, mut run) =
            (json!({ "input": { "context": { "a": 1 } } }), json!({ "user": { "role": "x" } }));
        let assignment = Assignment::parse(text).unwrap();
        assignment.apply(Side::Request, &mut request).unwrap();
        assignment.apply(Side::Run, &mut run).unwrap();
        (request, run)
    }

    #[test]
    fn paths_are_those_that_rules_read() {
        let run = json!({ "user": { "role": "x" } });
        assert_eq!(set("request.context.a=2"), (json!({ "input": { "context": { "a": 2 } } }), run.clone()));
        let nested = json!({ "input": { "context": { "a": 1, "b": { "c": "x y" } } } });
        assert_eq!(set("request.context.b.c=x y"), (nested, run.clone()));
        let request = json!({ "input": { "context": { "a": 1 } } });
        assert_eq!(set("user.role=lead"), (request.clone(), json!({ "user": { "role": "lead" } })));
        let both = json!({ "user": { "role": "x" }, "safety_mode": "read_only" });
        assert_eq!(set("run.safety_mode=read_only"), (request, both));
        for malformed in ["a", "=1", "request=1", "request..a=1", ".a=1"] {
            assert!(Assignment::parse(malformed).is_err(), "{malformed}");
        }
        let through = Assignment::parse("request.context.a.b=1").unwrap();
        assert!(through.apply(Side::Request, &mut json!({ "input": { "context": { "a": 1 } } })).is_err());
    }
}
