//! The policy of the registry, and what a version still needs.

use super::source::candidate;
use crate::error::AppError;
use crate::registry::{error, without_secret};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, Place, Report, codes};
use deed_model::{KeyStatus, PackRef, RecheckTrigger, RegistryPolicy, ReviewRole, TrustedKey};
use deed_pack::{
    AcceptedRegression, Bundle, Candidate, Observation, PackHistory, PinnedEnvironment, RecheckRecord, Trust, demands,
};
use deed_store::{Outcome, Registry};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the policy in force.
///
/// # Errors
/// The registry cannot be used.
pub fn policy(session: &Session) -> Result<RegistryPolicy, AppError> {
    let (_, registry) = session.registry()?;
    registry.policy().map_err(error)
}

/// Sets the policy, on record.
///
/// # Errors
/// The reason is empty or holds a secret, or the registry cannot be written.
pub fn set_policy(session: &Session, policy: &RegistryPolicy, reason: &str) -> Result<Outcome, AppError> {
    let (_, registry) = session.registry()?;
    let reason = without_secret("--reason", reason)?;
    registry.set_policy(policy, reason, &session.stamp()?).map_err(error)
}

/// A key, and the person that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// The key.
    pub key_id: String,
    /// The person.
    pub person: Option<String>,
}

impl std::fmt::Display for KeyHolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.person {
            Some(person) => write!(f, "{person} ({})", self.key_id),
            None => f.write_str(&self.key_id),
        }
    }
}

/// A step that a version still needs before it can be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The step.
    pub what: NeededStep,
    /// The active keys that could take it.
    pub could: Vec<KeyHolder>,
}

/// A step before publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeededStep {
    /// A lint of exactly these documents.
    Lint,
    /// A review in a role.
    Review(ReviewRole),
    /// A review by a second person, in any required role.
    SecondReviewer,
    /// The issuer's signature.
    Signature,
    /// The publication.
    Publication,
}

impl std::fmt::Display for NeededStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lint => f.write_str("lint"),
            Self::Review(role) => write!(f, "{role} review"),
            Self::SecondReviewer => f.write_str("review by a second person"),
            Self::Signature => f.write_str("signature"),
            Self::Publication => f.write_str("publication"),
        }
    }
}

/// Returns what a pack still needs, and the keys that could do it; nothing without a registry, or once it is published.
///
/// # Errors
/// The registry cannot be read, or the documents have no canonical form.
pub fn needs(session: &Session, bundle: &Bundle) -> Result<Vec<Need>, AppError> {
    let Some(home) = session.maybe_home()? else { return Ok(Vec::new()) };
    let Some(draft) = bundle.draft() else { return Ok(Vec::new()) };
    let registry = Registry::open(&home.registry()).map_err(error)?;
    let history = registry.history(&draft.pack_ref).map_err(error)?;
    if history.publication.is_some() {
        return Ok(Vec::new());
    }
    // Documents that cannot be published yet need what lint says first.
    let Ok(candidate) = candidate(bundle) else { return Ok(vec![Need { what: NeededStep::Lint, could: Vec::new() }]) };
    let (trust, policy) = (registry.trust().map_err(error)?, registry.policy().map_err(error)?);
    Ok(open_steps(&history, &candidate, &trust, &policy))
}

fn open_steps(history: &PackHistory, candidate: &Candidate, trust: &Trust, policy: &RegistryPolicy) -> Vec<Need> {
    let records = history.candidate(&candidate.content_hash());
    let mut needs = Vec::new();
    let linted = records.and_then(|c| c.lint.as_ref());
    if linted.is_none_or(|l| l.overlays != candidate.signed_overlays() || l.golden != candidate.signed_golden()) {
        needs.push(Need { what: NeededStep::Lint, could: Vec::new() });
    }
    let active = |may: &dyn Fn(&TrustedKey) -> bool| -> Vec<KeyHolder> {
        let keys = trust.keys().map(|record| &record.key);
        let own = keys.filter(|key| key.status == KeyStatus::Active && key.issuer == candidate.issuer() && may(key));
        own.map(|key| KeyHolder { key_id: key.key_id.to_string(), person: key.person.clone() }).collect()
    };
    let mut required: BTreeSet<ReviewRole> = candidate.required_reviews().into_iter().collect();
    required.extend(policy.required_roles.iter().copied());
    let reviews = records.map(|c| c.reviews.as_slice()).unwrap_or_default();
    let counts = |role: ReviewRole| {
        let own = reviews.iter().filter(move |r| r.role == role);
        own.filter(|r| trust.get(&r.key_id).is_some_and(|record| record.revoked_at.is_none()))
    };
    for role in &required {
        if counts(*role).next().is_none() {
            let could = active(&|key| key.review_roles.contains(role));
            needs.push(Need { what: NeededStep::Review(*role), could });
        }
    }
    let people: BTreeSet<String> =
        required.iter().flat_map(|role| counts(*role)).map(|review| trust.identity(&review.key_id)).collect();
    let lone = policy.self_review == deed_model::SelfReview::Refused && required.len() > 1;
    let reviewed = needs.iter().all(|need| !matches!(need.what, NeededStep::Review(_)));
    if let (true, true, Some(only)) = (lone && people.len() == 1, reviewed, people.first()) {
        let other = |key: &TrustedKey| {
            trust.identity(&key.key_id) != *only && key.review_roles.iter().any(|role| required.contains(role))
        };
        needs.push(Need { what: NeededStep::SecondReviewer, could: active(&other) });
    }
    if records.is_none_or(|c| c.signatures.is_empty()) {
        needs.push(Need { what: NeededStep::Signature, could: active(&|key| key.may_sign) });
    }
    needs.push(Need { what: NeededStep::Publication, could: Vec::new() });
    needs
}

/// Warns of a pack that one person reviewed in all roles, where the registry demands two: its signature is refused.
pub(super) fn lone_reviewer(registry: &Registry, candidate: &Candidate) -> Result<Report, AppError> {
    let history = registry.history(candidate.pack_ref()).map_err(error)?;
    let (trust, policy) = (registry.trust().map_err(error)?, registry.policy().map_err(error)?);
    let needs = open_steps(&history, candidate, &trust, &policy);
    let lone = history.publication.is_none() && needs.iter().any(|need| need.what == NeededStep::SecondReviewer);
    let mut warnings = Report::default();
    if lone {
        let reference = candidate.pack_ref();
        let message = format!("one person reviewed `{reference}` in all required roles: `deed pack sign` refuses that");
        let help = "let another trusted key review too; a registry of one person allows it: `deed registry policy set \
                    --allow-self-review`";
        let found = Diagnostic::warning(codes::DUTIES_NOT_SEPARATED, message).stage("lifecycle");
        warnings.push(found.at(Place::file(reference.to_string())).help(help));
    }
    Ok(warnings)
}

/// Returns a warning for a draft that asks for fewer reviews than the registry.
pub(super) fn too_few_reviews(
    registry: &Registry,
    candidate: &Candidate,
) -> Result<Vec<deed_diag::Diagnostic>, AppError> {
    let policy = registry.policy().map_err(error)?;
    let mut found = demands(&policy, candidate).err().unwrap_or_default();
    found.iter_mut().for_each(|finding| finding.severity = deed_diag::Severity::Warning);
    Ok(found)
}

/// The people behind a version, and the environments that use it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signatories {
    /// The reviews, by role.
    pub reviewers: Vec<(ReviewRole, KeyHolder)>,
    /// The signers.
    pub signers: Vec<KeyHolder>,
    /// The environments that have the version pinned, and whether it is promoted there.
    pub pins: Vec<(PinnedEnvironment, bool)>,
    /// The first use in each environment, and without one.
    pub observations: Vec<Observation>,
    /// The regressions that were accepted for exactly these documents.
    pub accepted: Vec<AcceptedRegression>,
    /// The last recheck for each trigger and each thing that changed.
    pub rechecks: BTreeMap<(RecheckTrigger, String), RecheckRecord>,
}

/// Returns the keys and people that reviewed and signed a document.
///
/// # Errors
/// The registry cannot be read.
pub fn signatories(session: &Session, pack_ref: &PackRef, content_hash: &ContentHash) -> Result<Signatories, AppError> {
    if session.maybe_home()?.is_none() {
        return Ok(Signatories::default());
    }
    let (_, registry) = session.registry()?;
    let history = registry.history(pack_ref).map_err(error)?;
    let trust = registry.trust().map_err(error)?;
    let holder = |key_id: &deed_canon::KeyId| KeyHolder {
        key_id: key_id.to_string(),
        person: trust.get(key_id).and_then(|record| record.key.person.clone()),
    };
    let Some(records) = history.candidate(content_hash) else { return Ok(Signatories::default()) };
    Ok(Signatories {
        reviewers: records.reviews.iter().map(|r| (r.role, holder(&r.key_id))).collect(),
        signers: records.signatures.iter().map(|s| holder(&s.key_id)).collect(),
        pins: history.pinned_in.iter().map(|p| (p.clone(), history.promoted_in.contains(p))).collect(),
        observations: history.observations.clone(),
        accepted: history.accepted.iter().filter(|a| a.content_hash == *content_hash).cloned().collect(),
        rechecks: history.rechecks.clone(),
    })
}
