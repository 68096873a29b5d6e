//! Texts that stand in the prompt, and texts that must not.

use super::finding::Findings;
use crate::prompt::render;
use deed_diag::quote;
use deed_model::{CompiledContext, GoldenExpectation};
use deed_pack::conceal_secrets;

pub(super) fn compare(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    if expect.prompt_has.is_empty() && expect.prompt_lacks.is_empty() {
        return;
    }
    let prompt = render(&context.compiled_prompt);
    for (i, text) in expect.prompt_has.iter().enumerate().filter(|(_, text)| !prompt.contains(text.as_str())) {
        let message = format!("expected {} in the prompt, where it is not", shown(text));
        findings.differs(&["prompt_has", &i.to_string()], message, None);
    }
    for (i, text) in expect.prompt_lacks.iter().enumerate().filter(|(_, text)| prompt.contains(text.as_str())) {
        let message = format!("found {} in the prompt, where it must not be", shown(text));
        findings.differs(&["prompt_lacks", &i.to_string()], message, None);
    }
}

/// The text, unless it is one that nobody should read in a log: cases about redaction are full of them.
fn shown(text: &str) -> String {
    if conceal_secrets(text).is_empty() { quote(text) } else { "a text that is not shown here".to_owned() }
}
