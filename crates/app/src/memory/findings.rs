//! The reasons of the checks as findings in the proposal's file.

use deed_diag::{Diagnostic, Document, codes};
use deed_model::{MemoryProposal, MemoryRules, RejectionReason};

/// Returns a finding for each reason, at the field that it is about.
pub(super) fn findings(
    document: &Document,
    proposal: &MemoryProposal,
    rules: &MemoryRules,
    reasons: &[RejectionReason],
) -> Vec<Diagnostic> {
    let found = reasons.iter().map(|reason| {
        let (pointer, message) = words(*reason, proposal, rules);
        let message = format!("{}: {message}", reason.as_str());
        let finding = Diagnostic::error(codes::MEMORY_PROPOSAL_REJECTED, message).stage("memory");
        finding.at(document.place(present(document, pointer))).help(help(*reason, rules))
    });
    found.collect()
}

/// The pointer of a field, or of the whole document where the field is missing.
fn present<'p>(document: &Document, pointer: &'p str) -> &'p str {
    if document.value().pointer(pointer).is_some() { pointer } else { "" }
}

fn words(reason: RejectionReason, proposal: &MemoryProposal, rules: &MemoryRules) -> (&'static str, String) {
    let quote = deed_diag::quote;
    match reason {
        RejectionReason::NoContent => ("/text", "a memory is a text, or an entity, a predicate and a value".to_owned()),
        RejectionReason::TooLarge => ("/text", "a text or a value has at most 8 KiB".to_owned()),
        RejectionReason::ConfidenceOutOfRange => ("/confidence", "a confidence is between 0 and 1".to_owned()),
        RejectionReason::MissingProvenance => ("/provenance", "no source is named".to_owned()),
        RejectionReason::MalformedProvenance => ("/provenance", "a source has the form `kind:id`".to_owned()),
        RejectionReason::ClassNotAllowed => {
            ("/class", format!("{} does not allow the class {} to be written", rules.pack_ref, quote(&proposal.class)))
        }
        RejectionReason::OtherTenant => ("/tenant_id", format!("the pack belongs to {}", quote(&rules.tenant_id))),
        RejectionReason::AnySubject => ("/subject", "the pack shares memory within one subject".to_owned()),
        RejectionReason::UnknownIntent => {
            ("/intent_id", format!("{} has no intent {}", rules.pack_ref, quote(&proposal.intent_id)))
        }
        RejectionReason::UnknownTier => ("/tier", format!("there is no tier {}", quote(&proposal.tier))),
        RejectionReason::TierWithoutTtl => {
            ("/tier", format!("{} gives the tier {} no lifetime", rules.pack_ref, quote(&proposal.tier)))
        }
        RejectionReason::UnknownClassification => {
            ("/classification", format!("{} is not a level", quote(&proposal.classification)))
        }
        RejectionReason::AboveClassification => {
            ("/classification", format!("{} is classified {}", rules.pack_ref, rules.data_classification))
        }
        RejectionReason::PersonalDataNotAllowed => {
            ("", format!("it holds personal data, and {} does not allow that to be written", rules.pack_ref))
        }
        RejectionReason::MissingConsent => ("/consent", "it holds personal data, and names no consent".to_owned()),
        RejectionReason::MalformedConsent => ("/consent", "a consent has the form `kind:id`".to_owned()),
        RejectionReason::NotACorrection => ("/corrects", "only the class `correction` corrects a memory".to_owned()),
        RejectionReason::CorrectsUnknown => {
            ("/corrects", "no memory of this id was promoted for the tenant".to_owned())
        }
        RejectionReason::CorrectsAnotherFact => {
            ("/corrects", "the memory that it corrects is about another entity or predicate".to_owned())
        }
        RejectionReason::RevokedBefore => {
            ("", "the same was promoted and revoked before, and does not return".to_owned())
        }
    }
}

fn help(reason: RejectionReason, rules: &MemoryRules) -> String {
    let list = |words: Vec<String>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let quoted = |words: &[String]| list(words.iter().map(|word| format!("`{word}`")).collect());
    match reason {
        RejectionReason::ClassNotAllowed => format!("it allows: {}", quoted(&rules.write_classes_allowed)),
        RejectionReason::UnknownIntent => format!("its intents: {}; `*` stands for any", quoted(&rules.intents)),
        RejectionReason::UnknownTier | RejectionReason::TierWithoutTtl => {
            let tiers = rules.tiers.iter().map(|its| format!("`{}`", its.tier)).collect();
            format!("tiers with a lifetime: {}", list(tiers))
        }
        RejectionReason::UnknownClassification => {
            "the levels are PUBLIC, INTERNAL, CONFIDENTIAL and RESTRICTED".to_owned()
        }
        RejectionReason::MissingProvenance | RejectionReason::MalformedProvenance => {
            "name where it comes from, such as `feedback:fb_204`".to_owned()
        }
        RejectionReason::MissingConsent | RejectionReason::MalformedConsent => {
            "name the consent, such as `consent:cus_17:2026-03-01`".to_owned()
        }
        RejectionReason::PersonalDataNotAllowed => {
            "leave the personal data out, or keep it where it belongs and refer to it".to_owned()
        }
        RejectionReason::CorrectsUnknown => "`deed memory list` shows the ids".to_owned(),
        RejectionReason::RevokedBefore => "if it is true after all, state it in other words, for a review".to_owned(),
        RejectionReason::NoContent
        | RejectionReason::TooLarge
        | RejectionReason::ConfidenceOutOfRange
        | RejectionReason::OtherTenant
        | RejectionReason::AnySubject
        | RejectionReason::AboveClassification
        | RejectionReason::NotACorrection
        | RejectionReason::CorrectsAnotherFact => "correct the proposal, and propose it again".to_owned(),
    }
}
