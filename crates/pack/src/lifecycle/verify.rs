//! Envelopes against trust and documents: who signed, was it allowed, and is it about these very bytes.

use super::candidate::Candidate;
use super::statement::subjects;
use super::trust::{Standing, Trust, When};
use deed_canon::{ContentHash, DsseError, Envelope, KeyId, Statement, Subject};
use deed_diag::{Code, Diagnostic};
use deed_model::{
    PACK_REVIEW_PREDICATE, PACK_SIGNATURE_PREDICATE, PackRef, PackReview, PackSignature, ReviewRole, SignedOverlay,
};
use serde::de::DeserializeOwned;

const UNKNOWN_SIGNER: Code = Code::new("D1301");
const KEY_REVOKED: Code = Code::new("D1302");
const KEY_RETIRED: Code = Code::new("D1303");
const NOT_FOR_ISSUER: Code = Code::new("D1304");
const NOT_FOR_ROLE: Code = Code::new("D1305");
const OTHER_BYTES: Code = Code::new("D1306");
const OTHER_DOCUMENT: Code = Code::new("D1307");
const NOT_AN_ENVELOPE: Code = Code::new("D1308");

/// An issuer's signature that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedSignature {
    /// The key that signed.
    pub key_id: KeyId,
    /// What it said.
    pub signature: PackSignature,
    /// True where the key is retired and nothing tells whether it signed before.
    pub retired_unknown: bool,
}

/// A reviewer's sign-off that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedReview {
    /// The key that signed.
    pub key_id: KeyId,
    /// What it said.
    pub review: PackReview,
    /// True where the key is retired and nothing tells whether it signed before.
    pub retired_unknown: bool,
}

/// What a key must be trusted for.
#[derive(Clone, Copy)]
enum Need {
    Sign,
    Review(ReviewRole),
}

/// Verifies that a key which may sign for the issuer said that these very documents are this version.
pub fn verify_signature(
    envelope: &Envelope,
    trust: &Trust,
    when: When,
    candidate: &Candidate,
) -> Result<VerifiedSignature, Vec<Diagnostic>> {
    let (statement, signers) = open(envelope, trust, PACK_SIGNATURE_PREDICATE, candidate)?;
    let signature: PackSignature = predicate(&statement, candidate)?;
    let PackSignature { pack_ref, issuer, content_hash, overlays } = &signature;
    about(&statement, candidate, &Claim { pack_ref, issuer, content_hash, overlays })?;
    let (key_id, retired_unknown) = believed(trust, &signers, when, candidate, Need::Sign)?;
    Ok(VerifiedSignature { key_id, signature, retired_unknown })
}

/// Verifies that a key which may review in its role looked at these very documents.
pub fn verify_review(
    envelope: &Envelope,
    trust: &Trust,
    when: When,
    candidate: &Candidate,
) -> Result<VerifiedReview, Vec<Diagnostic>> {
    let (statement, signers) = open(envelope, trust, PACK_REVIEW_PREDICATE, candidate)?;
    let review: PackReview = predicate(&statement, candidate)?;
    let PackReview { pack_ref, issuer, content_hash, overlays, role, note: _ } = &review;
    about(&statement, candidate, &Claim { pack_ref, issuer, content_hash, overlays })?;
    let (key_id, retired_unknown) = believed(trust, &signers, when, candidate, Need::Review(*role))?;
    Ok(VerifiedReview { key_id, review, retired_unknown })
}

/// The blobs of the documents that a signed statement is about: the pack first, then its overlays.
pub fn documents_of(envelope: &Envelope, trust: &Trust) -> Result<Vec<ContentHash>, DsseError> {
    let (statement, _) = Statement::open(envelope, |id| trust.public_key(id))?;
    let digest = |subject: &Subject| -> Option<ContentHash> {
        subject.digest.get("sha256").and_then(|hex| format!("sha256:{hex}").parse().ok())
    };
    let digests: Option<Vec<ContentHash>> = statement.subject.iter().map(digest).collect();
    digests.ok_or_else(|| DsseError::Statement("a subject has no SHA-256 digest".to_owned()))
}

fn open(
    envelope: &Envelope,
    trust: &Trust,
    kind: &str,
    candidate: &Candidate,
) -> Result<(Statement, Vec<KeyId>), Vec<Diagnostic>> {
    let (statement, signers) =
        Statement::open(envelope, |id| trust.public_key(id)).map_err(|e| vec![unopened(&e, candidate)])?;
    if statement.predicate_type != kind {
        let message = format!("the envelope carries a `{}`, not a `{kind}`", statement.predicate_type);
        return Err(vec![not_an_envelope(candidate, message)]);
    }
    Ok((statement, signers))
}

fn unopened(error: &DsseError, candidate: &Candidate) -> Diagnostic {
    match error {
        DsseError::UnknownSigner { named } => {
            let message = format!("no key that is trusted here signed; the envelope names `{}`", named.join("`, `"));
            refusal(UNKNOWN_SIGNER, candidate, message)
                .help("trust the signer's public key for the pack's issuer, or have a trusted key sign")
        }
        DsseError::BadSignature { key_id } => {
            let message = format!("the signature of `{key_id}` is over other bytes");
            refusal(OTHER_BYTES, candidate, message).help(
                "the payload or the signature was changed after signing: sign again, and trust nothing else of it",
            )
        }
        DsseError::PayloadType { .. }
        | DsseError::Base64 { .. }
        | DsseError::Unsigned
        | DsseError::Statement(_)
        | DsseError::NotCanonical => not_an_envelope(candidate, error.to_string()),
    }
}

fn predicate<P: DeserializeOwned>(statement: &Statement, candidate: &Candidate) -> Result<P, Vec<Diagnostic>> {
    P::deserialize(&statement.predicate)
        .map_err(|e| vec![not_an_envelope(candidate, format!("the statement cannot be read: {e}"))])
}

/// What a statement says it is about.
struct Claim<'a> {
    pack_ref: &'a PackRef,
    issuer: &'a str,
    content_hash: &'a ContentHash,
    overlays: &'a [SignedOverlay],
}

/// The statement must be about the candidate in every respect: name, issuer, hashes, overlays, digests.
fn about(statement: &Statement, candidate: &Candidate, claim: &Claim<'_>) -> Result<(), Vec<Diagnostic>> {
    let differs = if claim.pack_ref != candidate.pack_ref() {
        format!("it speaks of `{}`", claim.pack_ref)
    } else if claim.issuer != candidate.issuer() {
        format!("it names the issuer `{}`, and the pack `{}`", claim.issuer, candidate.issuer())
    } else if *claim.content_hash != candidate.content_hash() {
        format!("it speaks of the document `{}`, and this one is `{}`", claim.content_hash, candidate.content_hash())
    } else if claim.overlays != candidate.signed_overlays() {
        "it speaks of other overlays".to_owned()
    } else if statement.subject != subjects(candidate) {
        "its subjects have other digests".to_owned()
    } else {
        return Ok(());
    };
    let message = format!("the signed statement is not about this document: {differs}");
    Err(vec![
        refusal(OTHER_DOCUMENT, candidate, message)
            .help("the document changed after it was signed or reviewed: have the present bytes reviewed and signed"),
    ])
}

/// The first signer that is believed, or why the first named one is not.
fn believed(
    trust: &Trust,
    signers: &[KeyId],
    when: When,
    candidate: &Candidate,
    need: Need,
) -> Result<(KeyId, bool), Vec<Diagnostic>> {
    let mut faults = Vec::new();
    for key_id in signers {
        match believe(trust, key_id, when, candidate, need) {
            Ok(retired_unknown) => return Ok((key_id.clone(), retired_unknown)),
            Err(fault) => faults.push(*fault),
        }
    }
    Err(faults)
}

fn believe(
    trust: &Trust,
    key_id: &KeyId,
    when: When,
    candidate: &Candidate,
    need: Need,
) -> Result<bool, Box<Diagnostic>> {
    let (key, retired_unknown) = match trust.standing(key_id, when) {
        Standing::Good(key) => (key, false),
        Standing::GoodIfBefore(key) => (key, true),
        Standing::Unknown => {
            let message = format!("the key `{key_id}` was not trusted when it signed");
            let help = "trust the key for the pack's issuer, then sign again";
            return Err(Box::new(refusal(UNKNOWN_SIGNER, candidate, message).help(help)));
        }
        Standing::Revoked(_, reason) => {
            let message = format!("the key `{key_id}` was revoked: {reason}");
            let help = "nothing that a revoked key signed holds: have another key of the issuer sign";
            return Err(Box::new(refusal(KEY_REVOKED, candidate, message).help(help)));
        }
        Standing::Retired(_, by) => {
            let message = format!("the key `{key_id}` is retired and may sign nothing new");
            let help = format!("sign with `{by}`, which took over");
            return Err(Box::new(refusal(KEY_RETIRED, candidate, message).help(help)));
        }
    };
    let issuer = candidate.issuer();
    match need {
        Need::Sign if key.issuer != issuer || !key.may_sign => {
            let message = format!("the key `{key_id}` may not sign for the issuer `{issuer}`");
            let help = "sign with a key that is trusted to sign for this issuer, or correct `contract_meta.issuer`";
            Err(Box::new(refusal(NOT_FOR_ISSUER, candidate, message).help(help)))
        }
        Need::Review(role) if key.issuer != issuer || !key.review_roles.contains(&role) => {
            let message = format!("the key `{key_id}` may not review as `{role}` for the issuer `{issuer}`");
            let help = "review with a key that is trusted for this role and issuer";
            Err(Box::new(refusal(NOT_FOR_ROLE, candidate, message).help(help)))
        }
        Need::Sign | Need::Review(_) => Ok(retired_unknown),
    }
}

fn not_an_envelope(candidate: &Candidate, message: String) -> Diagnostic {
    refusal(NOT_AN_ENVELOPE, candidate, message)
        .help("make the envelope with `deed pack sign` or `deed pack review`: DSSE around an in-toto Statement v1")
}

fn refusal(code: Code, candidate: &Candidate, message: String) -> Diagnostic {
    Diagnostic::error(code, message).stage("signature").at(candidate.place())
}
