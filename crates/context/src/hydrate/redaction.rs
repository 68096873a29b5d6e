//! The pack's redaction rules as detectors.

use crate::refusal::Refusal;
use crate::text::Redactor;
use deed_detect::{CustomPattern, Matcher};
use deed_diag::{codes, quote};
use deed_model::{ContextPack, RedactionRule};

/// Returns a detector for each rule, in the pack's order. A rule without a detector would redact nothing, so it is
/// refused.
pub(super) fn redactor(pack: &ContextPack) -> Result<Redactor, Refusal> {
    let rules = &pack.policy_layer.guardrails.redaction_rules;
    let matchers: Result<Vec<Matcher>, Refusal> = rules.iter().map(matcher).collect();
    Ok(Redactor::new(matchers?))
}

fn matcher(rule: &RedactionRule) -> Result<Matcher, Refusal> {
    let unusable = |why: String| {
        let message = format!("the redaction rule {} cannot be used: {why}", quote(rule.id()));
        Refusal::before(codes::UNUSABLE_PACK, message).help("run `deed pack lint` for details")
    };
    match rule {
        RedactionRule::Named(name) => {
            Matcher::named(name).ok_or_else(|| unusable("there is no detector for it".to_owned()))
        }
        RedactionRule::Pattern(own) => {
            CustomPattern::new(&own.id, &own.pattern).map(Matcher::Custom).map_err(|error| unusable(error.to_string()))
        }
    }
}
