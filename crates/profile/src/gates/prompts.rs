//! Gate 6, prompts: every reference leads to a prompt, and every prompt declares the variables that it uses.

use super::GateInput;
use crate::objects::Objects;
use crate::prompts::{PromptLibrary, PromptTemplate};
use deed_diag::{Diagnostic, Document, codes, did_you_mean, quote};
use deed_model::{ObjectRef, PromptBinding, PromptRef};
use std::collections::BTreeMap;

/// A caller that knows no registry: what is named has to ship or to be part of the profile.
const NO_OBJECTS: Objects<'static> = Objects { packs: &[], prompts: &[], refused: &[], beside: &[] };

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = references(input);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for prompt in crate::prompts::shipped_prompts() {
        seen.insert(prompt.prompt_ref.clone(), usize::MAX);
    }
    for (index, prompt) in input.profile.prompts.iter().enumerate() {
        findings.extend(name(input, index, prompt, &mut seen));
        findings.extend(published(input, index, prompt));
        findings.extend(text(&input.file.document, &format!("/prompts/{index}"), prompt));
    }
    findings
}

/// References of bindings.
fn references(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let objects = input.facts.objects.unwrap_or(NO_OBJECTS);
    let library = PromptLibrary::of(Some(input.profile), objects.prompts);
    let mut findings = Vec::new();
    for placed in input.bindings() {
        let Some(text) = &placed.binding.prompt_binding_ref else { continue };
        let place = input.file.place(&format!("{}/prompt_binding_ref", placed.pointer));
        let reference = match text.parse::<PromptRef>() {
            Ok(reference) => reference,
            Err(error) => {
                let help = "write `workspace.operator.planner.system@v1`";
                findings.push(Diagnostic::error(codes::BAD_PROMPT_REF, error.to_string()).at(place).help(help));
                continue;
            }
        };
        if let Some(refusal) = objects.refusal(&ObjectRef::prompt(text), place.clone()) {
            findings.push(refusal);
            continue;
        }
        match library.find(&reference) {
            None => {
                let known = library.references();
                let help = did_you_mean(text, known.iter().map(String::as_str));
                findings.push(
                    Diagnostic::error(codes::UNKNOWN_PROMPT, format!("unknown prompt {}", quote(text)))
                        .at(place)
                        .help(help.unwrap_or_else(|| "`deed prompt list` lists the prompts".to_owned())),
                );
            }
            Some((pinned, _)) if reference.version.is_none() => findings.push(
                Diagnostic::warning(codes::PROMPT_NOT_PINNED, format!("the prompt {} has no version", quote(text)))
                    .at(place)
                    .help(format!("write `{pinned}`; without a version another release may use another text")),
            ),
            Some(_) => {}
        }
    }
    findings
}

/// A prompt of the profile that was published with another text, or that the registry blocks.
fn published(input: &GateInput<'_>, index: usize, prompt: &PromptBinding) -> Option<Diagnostic> {
    let objects = input.facts.objects?;
    let place = input.file.place(&format!("/prompts/{index}/prompt_ref"));
    if let Some(refusal) = objects.refusal(&ObjectRef::prompt(&prompt.prompt_ref), place.clone()) {
        return Some(refusal);
    }
    let other = objects.prompts.iter().find(|known| known.prompt_ref == prompt.prompt_ref && *known != prompt)?;
    let message = format!("the prompt {} was published with another text", quote(&other.prompt_ref));
    let help = "a version of a prompt never changes: give this text the next version";
    Some(Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).at(place).help(help))
}

/// The name of a prompt of the profile.
fn name(
    input: &GateInput<'_>,
    index: usize,
    prompt: &PromptBinding,
    seen: &mut BTreeMap<String, usize>,
) -> Option<Diagnostic> {
    let place = input.file.place(&format!("/prompts/{index}/prompt_ref"));
    let bad = |why: String| {
        let help = "write `workspace.operator.planner.system@v1`";
        Some(Diagnostic::error(codes::BAD_PROMPT_REF, why).at(place.clone()).help(help))
    };
    match prompt.prompt_ref.parse::<PromptRef>() {
        Err(error) => return bad(error.to_string()),
        Ok(reference) if reference.version.is_none() => {
            return bad(format!("the prompt {} has no version", quote(&prompt.prompt_ref)));
        }
        Ok(_) => {}
    }
    let first = seen.insert(prompt.prompt_ref.clone(), index)?;
    let what = if first == usize::MAX { "ships with Deed" } else { "is defined above" };
    let message = format!("the prompt {} {what}", quote(&prompt.prompt_ref));
    let help = "a version of a prompt never changes: give this one another name or version";
    Some(Diagnostic::error(codes::BAD_PROMPT_REF, message).at(place).help(help))
}

/// The variables of a prompt, which stands at a pointer of a document.
pub(crate) fn text(document: &Document, base: &str, prompt: &PromptBinding) -> Vec<Diagnostic> {
    let place = document.place(&format!("{base}/text"));
    let template = match PromptTemplate::read(&prompt.text) {
        Ok(template) => template,
        Err(fault) => {
            let message = format!("{} is not a variable", quote(&fault.near));
            let help = "write `{{name}}` with lowercase letters, digits and `_`";
            return vec![Diagnostic::error(codes::UNKNOWN_PROMPT_VARIABLE, message).at(place).help(help)];
        }
    };
    let used = template.variables();
    let declared = || prompt.variables.keys().map(String::as_str);
    let unknown = used.iter().filter(|name| !prompt.variables.contains_key(**name)).map(|name| {
        let help = did_you_mean(name, declared()).unwrap_or_else(|| "declare it under `variables`".to_owned());
        let message = format!("the prompt uses an undeclared variable {}", quote(name));
        Diagnostic::error(codes::UNKNOWN_PROMPT_VARIABLE, message).at(place.clone()).help(help)
    });
    let unused = declared().filter(|name| !used.contains(name)).map(|name| {
        let pointer = deed_canon::Pointer::push(&format!("{base}/variables"), name);
        Diagnostic::warning(codes::UNUSED_PROMPT_VARIABLE, format!("the variable {} is not used", quote(name)))
            .at(document.key_place(&pointer))
            .help("remove it, or use it in the text")
    });
    unknown.chain(unused).collect()
}
