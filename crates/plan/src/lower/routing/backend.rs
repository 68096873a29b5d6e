//! The backend of a step.

use crate::lower::cx::Step;
use crate::lower::findings::Finding;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{Backend, PlanStep, Routing, StepCode, is_set};

/// Code for the isolate has to be small.
const LARGEST_ISOLATE: usize = 64 * 1024;
const LANGUAGES: [&str; 3] = ["javascript", "python", "shell"];

/// Chooses where a step runs.
pub(super) fn choose(step: Step<'_>) -> Result<Routing, Finding> {
    let authored = step.authored;
    if authored.adapter.is_some() {
        return Ok(routing(Backend::Native, false, "a registered adapter does it"));
    }
    if let Some(code) = &authored.code {
        return of_code(step, code);
    }
    let sandbox = |tool: &String| tool.starts_with("sandbox.");
    let (any, none) = (authored.tool_needs.iter().any(sandbox), authored.tool_needs.iter().all(sandbox));
    if !none && !any && authored.for_each.is_none() {
        return Ok(routing(Backend::ToolLoop, true, "a model calls the tools it needs, and writes no code"));
    }
    Ok(routing(Backend::SandboxSession, true, "a model writes the code"))
}

fn routing(backend: Backend, needs_model: bool, why: &str) -> Routing {
    Routing { backend, needs_model, why: why.to_owned() }
}

fn of_code(step: Step<'_>, code: &StepCode) -> Result<Routing, Finding> {
    let language = code.language.to_lowercase();
    if !LANGUAGES.contains(&language.as_str()) {
        let message = format!("no backend runs {}", quote(&code.language));
        let help = did_you_mean(&language, LANGUAGES).unwrap_or_else(|| format!("there are {}", LANGUAGES.join(", ")));
        let at = step.at().key("code").key("language");
        return Err(Finding::error(at, codes::NO_BACKEND_FOR_CODE, message).help(help));
    }
    if language == "javascript" && calls_nothing(step.authored) && code.source.len() <= LARGEST_ISOLATE {
        return Ok(routing(Backend::EdgeIsolate, false, "small JavaScript that calls nothing"));
    }
    Ok(routing(Backend::SandboxSession, false, "code that is written already"))
}

/// Returns whether code needs nothing but its inputs. An isolate returns its outputs by name, so it cannot write a set.
fn calls_nothing(step: &PlanStep) -> bool {
    let named = !step.expected_outputs.iter().any(|expected| is_set(&expected.path));
    named && step.tool_needs.is_empty() && step.side_effects.is_empty() && step.for_each.is_none()
}
