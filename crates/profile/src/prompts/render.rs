//! Rendering: a prompt with a value for each of its variables, and none besides.
//!
//! Must prove: a value from outside stays between the two lines of its own fence, and no variable is left or guessed.

use super::template::PromptTemplate;
use deed_context::{fenced, neutral, visible};
use deed_diag::{Diagnostic, Place, codes, did_you_mean, quote};
use deed_model::{PromptBinding, VariableSource};
use std::collections::BTreeMap;

/// Renders a prompt.
///
/// # Errors
/// A diagnostic for each variable without a value, each value without a variable, and each variable that is not declared.
pub fn render(prompt: &PromptBinding, values: &BTreeMap<String, String>) -> Result<String, Vec<Diagnostic>> {
    let template = PromptTemplate::read(&prompt.text).map_err(|fault| {
        let message = format!("{} is not a variable", quote(&fault.near));
        vec![refuse(prompt, message).help("write `{{name}}` with a declared name")]
    })?;
    let used = template.variables();
    let mut faults = Vec::new();
    for name in &used {
        match (prompt.variables.contains_key(*name), values.contains_key(*name)) {
            (true, true) => {}
            (true, false) => faults.push(
                refuse(prompt, format!("the variable {} has no value", quote(name)))
                    .help("pass a value for it; nothing is inserted for a missing one"),
            ),
            (false, _) => faults.push(
                refuse(prompt, format!("the variable {} is not declared", quote(name)))
                    .help("declare it under `variables`, with its source"),
            ),
        }
    }
    for name in values.keys().filter(|name| !used.contains(name.as_str())) {
        let help = did_you_mean(name, used.iter().copied()).unwrap_or_else(|| "leave the value out".to_owned());
        faults.push(refuse(prompt, format!("the prompt has no variable {}", quote(name))).help(help));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(template.fill(|name| match (prompt.variables.get(name), values.get(name)) {
        (Some(variable), Some(value)) => inserted(name, variable.source, value),
        // Refused above; an empty text would be a silent default.
        (None, _) | (_, None) => deed_diag::broken(format_args!("the variable `{name}` has no value")),
    }))
}

/// Writes a value as its source demands.
fn inserted(name: &str, source: VariableSource, value: &str) -> String {
    match source {
        VariableSource::Outside => fenced(name, value),
        VariableSource::Authored => neutral(value).into_owned(),
        VariableSource::Runtime => visible(value).into_owned(),
    }
}

fn refuse(prompt: &PromptBinding, message: String) -> Diagnostic {
    Diagnostic::error(codes::PROMPT_NOT_RENDERED, message)
        .stage("prompt")
        .at(Place::file(format!("prompt:{}", prompt.prompt_ref)))
}
