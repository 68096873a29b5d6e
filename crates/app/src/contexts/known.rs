//! Paths that can be set: those that rules of the pack read, and those that the documents have.

use crate::error::AppError;
use deed_diag::{Diagnostic, Report, codes, nearest, quote};
use deed_model::{InvokeRequest, RunContext, schema_for};
use serde_json::Value;
use std::collections::BTreeSet;

/// The names that the pack gives to rules, whatever request and run say.
const OF_THE_PACK: [&str; 3] = ["env", "tenant", "call"];

/// The paths of a request, a run and the rules of a pack, as rules write them.
pub(super) struct KnownPaths(BTreeSet<String>);

impl KnownPaths {
    /// Collects the paths.
    pub(super) fn of(pack: &Value, request: &Value, run: &Value) -> Self {
        let mut paths = BTreeSet::new();
        read_by_rules(pack, &mut paths);
        within(request, "request", &mut paths);
        within(run, "", &mut paths);
        for name in fields::<InvokeRequest>() {
            paths.insert(format!("request.{name}"));
        }
        paths.extend(["request.context", "request.message", "request.intent"].map(str::to_owned));
        paths.extend(fields::<RunContext>());
        // Rules read the input of a request as the request itself.
        let inputs: Vec<String> = paths
            .iter()
            .filter_map(|path| path.strip_prefix("request.input."))
            .map(|rest| format!("request.{rest}"))
            .collect();
        paths.extend(inputs);
        Self(paths)
    }

    /// Refuses a path that looks like a misspelt one, that only the pack sets, or that the types of request and run do not
    /// have, so that no compile reads it. Another one that nothing has or reads is a warning: rules that are yet to be
    /// written may read it.
    pub(super) fn check(&self, path: &str) -> Result<Report, AppError> {
        let path = path.strip_prefix("run.").unwrap_or(path);
        let first = path.split('.').next().unwrap_or(path);
        if OF_THE_PACK.contains(&first) {
            let message = format!("{} is not of the request or the run", quote(path));
            let help = "the pack, or the call of a tool, says what rules read there";
            return Err(AppError::refused(diagnostic(Diagnostic::error(codes::UNREAD_PATH, message).help(help))));
        }
        let beneath = |known: &String| known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let is_typed = is_typed(path);
        if self.0.contains(path) || self.0.iter().any(beneath) || (is_typed && self.within_free(path)) {
            return Ok(Report::default());
        }
        let message = format!("nothing reads {}", quote(path));
        let refuse = |help: String| {
            Err(AppError::refused(diagnostic(Diagnostic::error(codes::UNREAD_PATH, message.clone()).help(help))))
        };
        let longer = format!(".{path}");
        if let Some(meant) = self.0.iter().filter(|known| known.ends_with(&longer)).min_by_key(|known| known.len()) {
            return refuse(format!("did you mean {}?", quote(meant)));
        }
        let fact = path.strip_prefix("request.").map(|rest| rest.strip_prefix("input.").unwrap_or(rest));
        let fact = fact.map(|rest| format!("request.context.{rest}")).filter(|_| !is_typed);
        if let Some(fact) = fact.as_ref().filter(|fact| self.0.contains(*fact)) {
            return refuse(format!("did you mean {}?", quote(fact)));
        }
        match self.near(path, is_typed) {
            Some(meant) => refuse(format!("did you mean {}?", quote(&meant))),
            None if !is_typed => refuse(match fact {
                Some(fact) => format!("a request has no such field; rules read facts as {}", quote(&fact)),
                None => "the run context has no such field, and no compile reads it".to_owned(),
            }),
            // Facts and the fields of a user are as the caller names them; at the top of a run there is nothing else to read.
            None if !self.0.iter().any(|known| is_within(known, first)) => {
                refuse("a path begins with `request.`, or with a field of the run context".to_owned())
            }
            None => Ok(Report::of(diagnostic(
                Diagnostic::warning(codes::UNREAD_PATH, message)
                    .help("no rule of the pack reads it, and neither the request nor the run has it"),
            ))),
        }
    }

    /// Returns the known path that a path may be a misspelling of. Where the caller names the fields, such as facts, only the
    /// last name can be misspelt, and only for another one beside it.
    fn near(&self, path: &str, is_typed: bool) -> Option<String> {
        let all = || self.0.iter().map(String::as_str);
        let first = path.split('.').next().unwrap_or(path);
        let is_named = is_typed && all().any(|known| is_within(known, first));
        match path.rsplit_once('.').filter(|_| is_named) {
            None => nearest(path, all()).map(str::to_owned),
            Some((above, own)) => {
                let beside = all().filter_map(|known| known.strip_prefix(above)?.strip_prefix('.'));
                let beside = beside.filter(|name| !name.contains('.'));
                nearest(own, beside).map(|name| format!("{above}.{name}"))
            }
        }
    }

    /// Returns true for a path below one that a rule reads as a whole.
    fn within_free(&self, path: &str) -> bool {
        let facts = ["request", "request.context", "request.input", "request.input.context", "user"];
        let mut ends = path.match_indices('.').filter_map(|(at, _)| path.get(..at));
        ends.any(|above| !facts.contains(&above) && self.0.contains(above))
    }
}

/// Returns true for a path that begins with a name.
fn is_within(path: &str, first: &str) -> bool {
    path.split('.').next() == Some(first)
}

fn diagnostic(diagnostic: Diagnostic) -> Diagnostic {
    crate::conceal::diagnostic(diagnostic.stage("usage"))
}

/// Returns true if the type of the request, or of the run, has a field at a path, or leaves it to the caller.
fn is_typed(path: &str) -> bool {
    let names: Vec<&str> = path.split('.').collect();
    match names.as_slice() {
        // Rules read the input of a request as the request itself.
        ["request", first @ ("context" | "message" | "intent"), rest @ ..] => {
            has::<InvokeRequest>(["input", first].iter().chain(rest))
        }
        ["request", rest @ ..] => has::<InvokeRequest>(rest.iter()),
        names => has::<RunContext>(names.iter()),
    }
}

fn has<'n, T: schemars::JsonSchema>(names: impl Iterator<Item = &'n &'n str>) -> bool {
    let schema = schema_for::<T>();
    let names: Vec<&str> = names.copied().collect();
    leads_on(&schema, &schema, &names)
}

/// Returns true if a schema has something at the end of some names.
fn leads_on(root: &Value, schema: &Value, names: &[&str]) -> bool {
    let Some((first, rest)) = names.split_first() else { return true };
    let reference = schema.get("$ref").and_then(Value::as_str).and_then(|at| at.strip_prefix('#'));
    if let Some(target) = reference.and_then(|at| root.pointer(at)) {
        return leads_on(root, target, names);
    }
    let choices = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    if choices.into_iter().any(|choice| leads_on(root, choice, names)) {
        return true;
    }
    match (schema.pointer("/properties").and_then(|all| all.get(first)), schema.get("additionalProperties")) {
        (Some(field), _) => leads_on(root, field, rest),
        (None, Some(Value::Bool(open))) => *open,
        (None, Some(values)) => leads_on(root, values, rest),
        (None, None) => false,
    }
}

/// The names of the fields of a document, as its schema has them.
fn fields<T: schemars::JsonSchema>() -> Vec<String> {
    let schema = schema_for::<T>();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|all| all.keys().cloned()).collect()
}

/// Collects the paths of a document, containers among them.
fn within(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        within(inner, &path, paths);
        paths.insert(path);
    }
}

/// Collects the paths that operators of rules read: `var`, `missing` and `missing_some`.
fn read_by_rules(value: &Value, paths: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                match name.as_str() {
                    "var" => texts(inner, 1, paths),
                    "missing" => texts(inner, usize::MAX, paths),
                    "missing_some" => {
                        inner.get(1).into_iter().for_each(|list| texts(list, usize::MAX, paths));
                    }
                    _ => {}
                }
                read_by_rules(inner, paths);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| read_by_rules(item, paths)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn texts(value: &Value, most: usize, paths: &mut BTreeSet<String>) {
    let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    paths.extend(items.iter().take(most).filter_map(Value::as_str).filter(|path| !path.is_empty()).map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use super::KnownPaths;
    use serde_json::json;

    #[test]
    fn a_path_is_known_misspelt_or_read_by_nothing() {
        let pack = json!({ "rules": [
            { "if": { "==": [{ "var": "request.context.verified" }, true] } },
            { "if": { "missing": ["user.role", "region"] } },
            { "if": { "missing_some": [1, ["request.context.a", "request.context.b"]] } },
            { "if": { "==": [{ "var": ["request.context.tier", "x"] }, "x"] } },
        ] });
        let request = json!({ "input": { "context": { "amount": 1, "nested": { "deep": 1 } } } });
        let known = KnownPaths::of(&pack, &request, &json!({ "plan": { "name": "x" } }));
        for path in [
            "request.context.verified",
            "request.context.amount",
            "request.context.nested",
            "request.context.nested.other",
            "request.session.session_id",
            "run_budget.bucket_tokens.evidence",
            "components.gateway",
            "request.input.context.amount",
            "request.context.b",
            "request.context.tier",
            "request.message",
            "request.channel",
            "user.role",
            "region",
            "run.region",
            "plan",
            "plan.name",
            "safety_mode",
        ] {
            assert!(known.check(path).is_ok_and(|report| report.diagnostics().is_empty()), "{path}");
        }
        for path in
            ["request.context.verifed", "request.contxt.amount", "usr.role", "safety_mod", "env.currency", "call"]
        {
            assert!(known.check(path).is_err(), "{path}");
        }
        // A short name is no misspelling of what stands above it, nor a long path one of another fact.
        for path in ["request.context.weather_in_pune", "user.weather_in_pune", "user.tier", "request.context.verdict"]
        {
            assert_eq!(known.check(path).unwrap().diagnostics().len(), 1, "{path}");
        }
        for (path, says) in [
            ("amount", "did you mean `request.context.amount`?"),
            ("context.amount", "did you mean `request.context.amount`?"),
            ("run.amount", "did you mean `request.context.amount`?"),
            ("zzz", "begins with `request.`"),
            ("request.amount", "did you mean `request.context.amount`?"),
            ("request.input.amount", "did you mean `request.context.amount`?"),
            ("request.weather_in_pune", "rules read facts as `request.context.weather_in_pune`"),
            ("request.session.weather", "rules read facts as `request.context.session.weather`"),
            ("request.channel.weather", "a request has no such field"),
            ("safety_mode.weather", "the run context has no such field"),
            ("run_budget.weather", "the run context has no such field"),
            ("user.role.weather", "the run context has no such field"),
        ] {
            let refused = known.check(path).unwrap_err();
            assert_eq!(refused.kind, crate::error::ErrorKind::Refused);
            assert!(refused.to_string().contains(says), "{path}: {refused}");
        }
    }
}
