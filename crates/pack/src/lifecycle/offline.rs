//! Offline verification: a pack, its envelopes and an exported trust store; no registry.

use super::candidate::Candidate;
use super::reviews::{CountedReview, missing};
use super::trust::{SigningTime, TRUST_FORMAT, Trust};
use super::verify::{verify_review, verify_signature};
use deed_canon::{ContentHash, Envelope, KeyId};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{PackRef, ReviewRole, TrustStore};
use serde_json::Value;

/// The result of an offline verification: what was proved, and what was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfflineProof {
    /// The version.
    pub pack_ref: PackRef,
    /// The issuer.
    pub issuer: String,
    /// Typed hash of the document.
    pub content_hash: ContentHash,
    /// The key that signed for the issuer.
    pub signer: KeyId,
    /// The sign-offs that its policy requires.
    pub reviews: Vec<CountedReview>,
    /// Keys that have been retired since: only the registry knows whether they signed before.
    pub retired: Vec<KeyId>,
    /// What was proved, one sentence each.
    pub proved: Vec<String>,
    /// What was not proved, one sentence each.
    pub not_proved: Vec<String>,
}

/// Verifies a pack with its overlays and golden cases against its signature, its reviews and a trust store.
///
/// # Errors
/// A diagnostic for each part that does not verify.
pub fn verify_offline(
    document: &Value,
    overlays: &[Value],
    golden: &[(String, Value)],
    envelope: &Envelope,
    reviews: &[Envelope],
    store: &TrustStore,
) -> Result<OfflineProof, Vec<Diagnostic>> {
    if store.format != TRUST_FORMAT {
        return Err(vec![unknown_format(store.format)]);
    }
    let trust = Trust::of_store(store).map_err(|id| vec![contradictory(&id)])?;
    let candidate = Candidate::new(document, overlays)?.with_golden(golden)?;
    let mut retired = Vec::new();
    let mut faults = Vec::new();
    let signer = match verify_signature(envelope, &trust, SigningTime::Unknown, &candidate) {
        Ok(verified) => {
            if verified.retired_unknown {
                retired.push(verified.key_id.clone());
            }
            Some(verified.key_id)
        }
        Err(found) => {
            faults.extend(found);
            None
        }
    };
    let mut held = Vec::new();
    for role in candidate.required_reviews() {
        match review_of(&candidate, &trust, role, reviews, &mut retired) {
            Ok(review) => held.push(review),
            Err(why) => faults.push(missing(&candidate, role, &why)),
        }
    }
    match signer {
        Some(signer) if faults.is_empty() => Ok(proof(&candidate, signer, held, &retired)),
        Some(_) | None => Err(faults),
    }
}

fn contradictory(id: &KeyId) -> Diagnostic {
    Diagnostic::error(
        codes::TRUST_STORE_CONTRADICTS_ITSELF,
        format!("the trust store lists `{id}` twice, or under an id that is not its own"),
    )
    .stage("signature")
    .at(Place { source: "trust store".to_owned(), pointer: Some("/keys".to_owned()), span: None })
    .help("take a fresh one from its owner: `deed keys list --export`")
}

fn review_of(
    candidate: &Candidate,
    trust: &Trust,
    role: ReviewRole,
    reviews: &[Envelope],
    retired: &mut Vec<KeyId>,
) -> Result<CountedReview, Vec<Diagnostic>> {
    let mut why = Vec::new();
    for envelope in reviews {
        match verify_review(envelope, trust, SigningTime::Unknown, candidate) {
            Ok(verified) if verified.review.role == role => {
                if verified.retired_unknown {
                    retired.push(verified.key_id.clone());
                }
                return Ok(CountedReview { role, key_id: verified.key_id });
            }
            // A review in another role does not count for this one.
            Ok(_) => {}
            // Nor do the faults of one.
            Err(found) if claimed_role(envelope).is_none_or(|claimed| claimed == role) => why.extend(found),
            Err(_) => {}
        }
    }
    Err(why)
}

/// Returns the role that a review claims, without a proof.
fn claimed_role(envelope: &Envelope) -> Option<ReviewRole> {
    let payload: Value = serde_json::from_slice(&envelope.claimed_payload()?).ok()?;
    serde_json::from_value(payload.pointer("/predicate/role")?.clone()).ok()
}

fn proof(candidate: &Candidate, signer: KeyId, reviews: Vec<CountedReview>, retired: &[KeyId]) -> OfflineProof {
    let pack_ref = candidate.pack_ref();
    let mut proved = vec![
        format!("the document has the hash `{}`", candidate.content_hash()),
        format!("`{signer}`, trusted to sign for `{}`, signed it as `{pack_ref}`", candidate.issuer()),
    ];
    proved.extend(candidate.overlays().iter().map(|o| {
        format!("the overlay `{}` is part of what was signed and has the hash `{}`", o.overlay_ref(), o.content_hash())
    }));
    if !candidate.golden().is_empty() {
        let count = candidate.golden().len();
        proved.push(format!("the golden cases are part of what was signed, {count} in number"));
    }
    proved.extend(reviews.iter().map(|r| format!("`{}` reviewed these bytes as `{}`", r.key_id, r.role)));
    let mut not_proved = vec![
        format!("that `{pack_ref}` is published, or neither deprecated nor revoked: only its registry knows"),
        "that the trust store is the issuer's own and up to date".to_owned(),
        "when anything was signed: the statements carry no time".to_owned(),
        "that the pack passes lint: run `deed pack lint` on it".to_owned(),
        "that the content of the pack is correct".to_owned(),
    ];
    not_proved.extend(retired.iter().map(|id| format!("that `{id}` signed before it was retired")));
    OfflineProof {
        pack_ref: pack_ref.clone(),
        issuer: candidate.issuer().to_owned(),
        content_hash: candidate.content_hash(),
        signer,
        reviews,
        retired: retired.to_vec(),
        proved,
        not_proved,
    }
}

fn unknown_format(found: u32) -> Diagnostic {
    Diagnostic::error(
        codes::UNKNOWN_TRUST_FORMAT,
        format!("the trust store has format {found}; this version reads {TRUST_FORMAT}"),
    )
    .stage("signature")
    .at(Place { source: "trust store".to_owned(), pointer: Some("/format".to_owned()), span: None })
    .help("export the trust store again, or use a newer `deed`")
}
