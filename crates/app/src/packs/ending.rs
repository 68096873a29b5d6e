//! Ends of versions between registries: that one was deprecated or revoked, as a statement that its issuer signs.
//!
//! The log of a registry does not leave it, so what another registry is to believe is signed by a key that it can judge.

use crate::error::AppError;
use crate::home::Home;
use crate::keys::{own_keys, signing_key};
use crate::registry::error;
use deed_canon::{Envelope, KeyId, SigningKey, Statement, Subject};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{KeyStatus, PACK_ENDING_PREDICATE, PackEnd, PackEnding, TrustedKey};
use deed_pack::{Candidate, PinnedUse};
use deed_store::{Outcome, Registry, Stamp};
use std::collections::BTreeMap;

/// Returns a signed statement of each end of a version; none if it may be used.
///
/// # Errors
/// It ended, and no key here may sign that.
pub(super) fn signed(
    home: &Home,
    registry: &Registry,
    candidate: &Candidate,
    key: Option<&str>,
) -> Result<Vec<Envelope>, AppError> {
    let history = registry.history(candidate.pack_ref()).map_err(error)?;
    let ends = [(PackEnd::Deprecated, history.deprecation), (PackEnd::Revoked, history.revocation)];
    let ends: Vec<_> = ends.into_iter().filter_map(|(end, record)| Some((end, record?))).collect();
    if ends.is_empty() {
        return Ok(Vec::new());
    }
    let key = signer(home, registry, candidate, key)?;
    let sign = |(end, record): (PackEnd, deed_pack::EndRecord)| {
        let ending = PackEnding {
            pack_ref: candidate.pack_ref().clone(),
            issuer: candidate.issuer().to_owned(),
            content_hash: candidate.content_hash(),
            end,
            reason: record.reason,
        };
        let predicate = serde_json::to_value(&ending).map_err(AppError::internal)?;
        let statement = Statement::new(vec![about(candidate)], PACK_ENDING_PREDICATE, predicate);
        statement.sign(&key).map_err(AppError::internal)
    };
    ends.into_iter().map(sign).collect()
}

/// The subject of a statement about the end of a version.
fn about(candidate: &Candidate) -> Subject {
    let digest = BTreeMap::from([("sha256".to_owned(), candidate.sha256().hex())]);
    Subject { name: candidate.pack_ref().to_string(), digest }
}

/// Returns the named key, or the first one here that the registry trusts to sign for the issuer.
fn signer(
    home: &Home,
    registry: &Registry,
    candidate: &Candidate,
    named: Option<&str>,
) -> Result<SigningKey, AppError> {
    let trusted = registry.trust_store().map_err(error)?.keys;
    let may_sign = |id: &KeyId| trusted.iter().any(|key| key.key_id == *id && is_for(key, candidate) && is_active(key));
    let named = match named {
        Some(name) => Some(name.to_owned()),
        None => own_keys(home)?.into_iter().find(|own| own.can_sign && may_sign(&own.public.id())).map(|own| own.name),
    };
    let key = named.map(|name| signing_key(home, &name)).transpose()?;
    key.filter(|key| may_sign(&key.public().id())).ok_or_else(|| {
        let (reference, issuer) = (candidate.pack_ref(), candidate.issuer());
        let message = format!("`{reference}` is no longer in use, and no key here may sign that for `{issuer}`");
        AppError::refused(
            Diagnostic::error(codes::END_NOT_SIGNED, message)
                .stage("export")
                .at(Place::file(format!("registry:{reference}")))
                .help("name a key of the issuer with `--key`: without its end the version would be taken for usable"),
        )
    })
}

fn is_for(key: &TrustedKey, candidate: &Candidate) -> bool {
    key.may_sign && key.issuer == candidate.issuer()
}

fn is_active(key: &TrustedKey) -> bool {
    key.status == KeyStatus::Active
}

/// Verifies that a key which this registry trusts to sign for the issuer stated the end of exactly this version.
///
/// # Errors
/// One of the statements does not hold: the version is not taken for usable then.
pub(super) fn proven(
    registry: &Registry,
    name: &str,
    envelopes: &[Envelope],
    candidate: &Candidate,
) -> Result<Vec<PackEnding>, AppError> {
    if envelopes.is_empty() {
        return Ok(Vec::new());
    }
    let trusted = registry.trust_store().map_err(error)?.keys;
    let refused = |why: &str| {
        let message = format!("the end of `{}` is not proven: {why}", candidate.pack_ref());
        AppError::refused(
            Diagnostic::error(codes::END_NOT_PROVEN, message)
                .stage("import")
                .at(Place::file(name.to_owned()))
                .help("trust the key of the issuer with `deed keys trust`, or take the version from its own registry"),
        )
    };
    // A key that was retired since may have signed before.
    let known = |id: &KeyId| {
        let holds = |key: &&TrustedKey| key.key_id == *id && is_for(key, candidate);
        let key = trusted.iter().find(holds).filter(|key| !matches!(key.status, KeyStatus::Revoked { .. }));
        key.map(|key| key.public_key.clone())
    };
    let mut endings = Vec::new();
    for envelope in envelopes {
        let (statement, _) = Statement::open(envelope, known).map_err(|found| refused(&found.to_string()))?;
        if statement.predicate_type != PACK_ENDING_PREDICATE || statement.subject != [about(candidate)] {
            return Err(refused("the statement is about something else"));
        }
        let ending: PackEnding =
            serde_json::from_value(statement.predicate).map_err(|found| refused(&found.to_string()))?;
        let is_own = ending.pack_ref == *candidate.pack_ref()
            && ending.issuer == candidate.issuer()
            && ending.content_hash == candidate.content_hash();
        if !is_own {
            return Err(refused("the statement is about another version"));
        }
        endings.push(ending);
    }
    Ok(endings)
}

/// Returns true if these documents are published and revoked here.
pub(super) fn is_revoked_here(registry: &Registry, candidate: &Candidate) -> Result<bool, AppError> {
    let history = registry.history(candidate.pack_ref()).map_err(error)?;
    let is_own = history.publication.is_some_and(|own| own.content_hash == candidate.content_hash());
    Ok(is_own && history.revocation.is_some())
}

/// Records the end of a published version, unless it ended here before.
///
/// # Errors
/// Environments would go down and that was not allowed, or the registry cannot be written.
pub(super) fn applied(
    registry: &Registry,
    ending: &PackEnding,
    pinned: PinnedUse,
    stamp: &Stamp,
) -> Result<Outcome, AppError> {
    let history = registry.history(&ending.pack_ref).map_err(error)?;
    let (reference, reason) = (&ending.pack_ref, ending.reason.as_str());
    match ending.end {
        PackEnd::Deprecated if history.deprecation.is_none() && history.revocation.is_none() => {
            registry.deprecate(reference, reason, pinned, stamp).map_err(error)
        }
        PackEnd::Revoked if history.revocation.is_none() => {
            registry.revoke(reference, reason, pinned, stamp).map_err(error)
        }
        PackEnd::Deprecated | PackEnd::Revoked => Ok(Outcome::AlreadyDone),
    }
}
