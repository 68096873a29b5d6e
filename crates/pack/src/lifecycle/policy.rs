//! The registry's policy as a fold over events, and the separation of duties that it demands.

use super::candidate::Candidate;
use super::history::{RecordWithEnvelope, ReviewRecord};
use super::reviews::reviewers;
use super::trust::Trust;
use deed_canon::KeyId;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{RegistryEvent, RegistryPolicy, ReviewRole, SelfReview};
use std::collections::BTreeSet;

/// The policy in force. A registry without a policy event has the default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyState {
    /// The policy.
    pub policy: RegistryPolicy,
    /// True once an event set or stated a policy: every later signature is judged by one.
    pub judged: bool,
}

impl PolicyState {
    /// Applies one more event; events about other things are ignored.
    pub fn apply(&mut self, event: &RegistryEvent) {
        if let RegistryEvent::RegistryPolicySet { policy, .. } = event {
            self.policy = policy.clone();
            self.judged = true;
        } else if let RegistryEvent::PackSigned { policy: Some(_), .. } = event {
            self.judged = true;
        }
    }
}

/// Checks that a pack demands what the registry does, and that one person does not review and sign it alone.
///
/// # Errors
/// A finding for each demand that is not met.
pub(super) fn check(
    policy: &RegistryPolicy,
    candidate: &Candidate,
    trust: &Trust,
    reviews: &[RecordWithEnvelope<ReviewRecord>],
    signer: &KeyId,
) -> Result<(), Vec<Diagnostic>> {
    demands(policy, candidate)?;
    match policy.self_review {
        SelfReview::Allowed => Ok(()),
        SelfReview::Refused => separated(candidate, trust, reviews, signer),
    }
}

/// Refuses a pack whose review policy leaves out roles that the registry demands.
pub fn demands(policy: &RegistryPolicy, candidate: &Candidate) -> Result<(), Vec<Diagnostic>> {
    let own = candidate.required_reviews();
    let left_out: Vec<&str> =
        policy.required_roles.iter().filter(|role| !own.contains(role)).map(|role| role.as_str()).collect();
    if left_out.is_empty() {
        return Ok(());
    }
    let message = format!(
        "`{}` does not ask for the `{}` review, and the registry does",
        candidate.pack_ref(),
        left_out.join("`, `")
    );
    Err(vec![
        Diagnostic::error(codes::REVIEW_POLICY_TOO_WEAK, message)
            .stage("lifecycle")
            .at(Place {
                source: candidate.place().source,
                pointer: Some("/policy_layer/review_policy".to_owned()),
                span: None,
            })
            .help(format!(
                "add `{}` to `policy_layer.review_policy.required_roles`, or remove `review_policy`",
                left_out.join("`, `")
            )),
    ])
}

fn separated(
    candidate: &Candidate,
    trust: &Trust,
    reviews: &[RecordWithEnvelope<ReviewRecord>],
    signer: &KeyId,
) -> Result<(), Vec<Diagnostic>> {
    let roles: Vec<ReviewRole> = candidate.required_reviews();
    let people: BTreeSet<String> = roles
        .iter()
        .flat_map(|role| reviewers(candidate, trust, *role, reviews))
        .map(|key| trust.identity(&key))
        .collect();
    let signing = trust.identity(signer);
    let mut alone = people.iter();
    let message = match (alone.next(), alone.next()) {
        (Some(one), None) if *one == signing => {
            format!("`{one}` is the only reviewer of `{}` and its signer", candidate.pack_ref())
        }
        (Some(one), None) if roles.len() > 1 => {
            format!("`{one}` alone reviewed `{}` in all required roles", candidate.pack_ref())
        }
        _ => return Ok(()),
    };
    Err(vec![
        Diagnostic::error(codes::DUTIES_NOT_SEPARATED, message)
            .stage("lifecycle")
            .at(candidate.place())
            .help("let another trusted key review too; a registry of one person allows it: `deed registry policy set --allow-self-review`"),
    ])
}
