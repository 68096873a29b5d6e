//! Texts that the prompt must contain, and texts that it must not.

use super::finding::Findings;
use crate::prompt::render;
use deed_detect::sensitive_ranges;
use deed_diag::quote;
use deed_model::{CompiledContext, GoldenExpectation};

pub(super) fn compare(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    if expect.prompt_has.is_empty() && expect.prompt_lacks.is_empty() {
        return;
    }
    let prompt = render(&context.compiled_prompt);
    for (i, text) in expect.prompt_has.iter().enumerate().filter(|(_, text)| !prompt.contains(text.as_str())) {
        let message = format!("expected {} in the prompt, and it is missing", shown(text));
        findings.differs(&["prompt_has", &i.to_string()], message, None);
    }
    for (i, text) in expect.prompt_lacks.iter().enumerate().filter(|(_, text)| prompt.contains(text.as_str())) {
        let message = format!("found {} in the prompt, which must not contain it", shown(text));
        findings.differs(&["prompt_lacks", &i.to_string()], message, None);
    }
}

/// Returns the text, unless it is sensitive: cases about redaction contain such texts, and logs must not.
fn shown(text: &str) -> String {
    if sensitive_ranges(text).is_empty() { quote(text) } else { "a text that is not shown here".to_owned() }
}
