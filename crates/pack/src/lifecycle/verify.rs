//! Verification of envelopes: the signer, its permission, and the documents.

use super::candidate::Candidate;
use super::statement::{GOLDEN, subjects};
use super::trust::{SigningTime, Standing, Trust};
use deed_canon::{ContentHash, DsseError, Envelope, KeyId, Statement, Subject};
use deed_diag::{Code, Diagnostic, Place, codes};
use deed_model::{
    PACK_REVIEW_PREDICATE, PACK_SIGNATURE_PREDICATE, PackRef, PackReview, PackSignature, ReviewRole, SignedGolden,
    SignedOverlay,
};
use serde::de::DeserializeOwned;

/// A valid signature of an issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerifiedSignature {
    /// The key that signed.
    pub key_id: KeyId,
    /// The statement.
    pub signature: PackSignature,
    /// True if the key is retired and it is unknown whether it signed before.
    pub retired_unknown: bool,
}

/// A valid sign-off of a reviewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerifiedReview {
    /// The key that signed.
    pub key_id: KeyId,
    /// The statement.
    pub review: PackReview,
    /// True if the key is retired and it is unknown whether it signed before.
    pub retired_unknown: bool,
}

/// A document that an issuer signs.
pub(super) trait Signable {
    /// Returns the issuer.
    fn issuer(&self) -> &str;

    /// Returns the place of findings about it.
    fn place(&self) -> Place;
}

impl Signable for Candidate {
    fn issuer(&self) -> &str {
        Candidate::issuer(self)
    }

    fn place(&self) -> Place {
        Candidate::place(self)
    }
}

/// Opens an envelope that carries a statement of this kind, and returns the keys whose signatures match.
pub(super) fn open_signed(
    envelope: &Envelope,
    trust: &Trust,
    kind: &str,
    signed: &dyn Signable,
) -> Result<(Statement, Vec<KeyId>), Vec<Diagnostic>> {
    open(envelope, trust, kind, signed)
}

/// Returns the first of these keys that may sign for the issuer.
pub(super) fn signed_by(
    trust: &Trust,
    signers: &[KeyId],
    when: SigningTime,
    signed: &dyn Signable,
) -> Result<KeyId, Vec<Diagnostic>> {
    believed(trust, signers, when, signed, Need::Sign).map(|(key_id, _)| key_id)
}

/// The permission that a key needs.
#[derive(Clone, Copy)]
enum Need {
    Sign,
    Review(ReviewRole),
}

/// Verifies that a key which may sign for the issuer stated that exactly these documents are this version.
///
/// # Errors
/// A diagnostic for each reason why the signature is not valid.
pub(super) fn verify_signature(
    envelope: &Envelope,
    trust: &Trust,
    when: SigningTime,
    candidate: &Candidate,
) -> Result<VerifiedSignature, Vec<Diagnostic>> {
    let (statement, signers) = open(envelope, trust, PACK_SIGNATURE_PREDICATE, candidate)?;
    let signature: PackSignature = predicate(&statement, candidate)?;
    let PackSignature { pack_ref, issuer, content_hash, overlays, golden } = &signature;
    about(&statement, candidate, &Claim { pack_ref, issuer, content_hash, overlays, golden })?;
    let (key_id, retired_unknown) = believed(trust, &signers, when, candidate, Need::Sign)?;
    Ok(VerifiedSignature { key_id, signature, retired_unknown })
}

/// Verifies that a key which may review in its role reviewed exactly these documents.
///
/// # Errors
/// A diagnostic for each reason why the review is not valid.
pub(super) fn verify_review(
    envelope: &Envelope,
    trust: &Trust,
    when: SigningTime,
    candidate: &Candidate,
) -> Result<VerifiedReview, Vec<Diagnostic>> {
    let (statement, signers) = open(envelope, trust, PACK_REVIEW_PREDICATE, candidate)?;
    let review: PackReview = predicate(&statement, candidate)?;
    let PackReview { pack_ref, issuer, content_hash, overlays, golden, role, note: _ } = &review;
    about(&statement, candidate, &Claim { pack_ref, issuer, content_hash, overlays, golden })?;
    let (key_id, retired_unknown) = believed(trust, &signers, when, candidate, Need::Review(*role))?;
    Ok(VerifiedReview { key_id, review, retired_unknown })
}

/// The blobs of the documents that a statement or a publication names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDocuments {
    /// The pack.
    pub pack: ContentHash,
    /// Its overlays, in order of application.
    pub overlays: Vec<ContentHash>,
    /// Its golden cases with their names.
    pub golden: Vec<(String, ContentHash)>,
}

/// Returns the blobs of the documents that a signed statement is about: the pack first, then overlays and golden cases.
///
/// # Errors
/// If the envelope is not signed by a known key, names no document, or a subject has no SHA-256 digest.
pub fn documents_of(envelope: &Envelope, trust: &Trust) -> Result<NamedDocuments, DsseError> {
    let (statement, _) = Statement::open(envelope, |id| trust.public_key(id))?;
    let digest = |subject: &Subject| -> Result<ContentHash, DsseError> {
        let found = subject.digest.get("sha256").and_then(|hex| format!("sha256:{hex}").parse().ok());
        found.ok_or_else(|| DsseError::Statement("a subject has no SHA-256 digest".to_owned()))
    };
    let mut subjects = statement.subject.iter();
    let pack = subjects.next().ok_or_else(|| DsseError::Statement("the statement names no document".to_owned()))?;
    let mut named = NamedDocuments { pack: digest(pack)?, overlays: Vec::new(), golden: Vec::new() };
    for subject in subjects {
        match subject.name.strip_prefix(GOLDEN) {
            Some(name) => named.golden.push((name.to_owned(), digest(subject)?)),
            None => named.overlays.push(digest(subject)?),
        }
    }
    Ok(named)
}

fn open(
    envelope: &Envelope,
    trust: &Trust,
    kind: &str,
    candidate: &dyn Signable,
) -> Result<(Statement, Vec<KeyId>), Vec<Diagnostic>> {
    let (statement, signers) =
        Statement::open(envelope, |id| trust.public_key(id)).map_err(|e| vec![unopened(&e, candidate)])?;
    if statement.predicate_type != kind {
        let message = format!("the envelope carries a `{}`, not a `{kind}`", statement.predicate_type);
        return Err(vec![not_an_envelope(candidate, message)]);
    }
    Ok((statement, signers))
}

fn unopened(error: &DsseError, candidate: &dyn Signable) -> Diagnostic {
    match error {
        DsseError::UnknownSigner { named } => {
            let message = format!("no key that is trusted here signed; the envelope names `{}`", named.join("`, `"));
            refusal(codes::UNKNOWN_SIGNER, candidate, message)
                .help("trust the signer's public key for the pack's issuer, or have a trusted key sign")
        }
        DsseError::BadSignature { key_id } => {
            let message = format!("the signature of `{key_id}` does not match the bytes");
            refusal(codes::SIGNATURE_OVER_OTHER_BYTES, candidate, message).help(
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

fn predicate<P: DeserializeOwned>(statement: &Statement, candidate: &dyn Signable) -> Result<P, Vec<Diagnostic>> {
    P::deserialize(&statement.predicate)
        .map_err(|e| vec![not_an_envelope(candidate, format!("the statement cannot be read: {e}"))])
}

/// The claims of a statement about its subject.
struct Claim<'a> {
    pack_ref: &'a PackRef,
    issuer: &'a str,
    content_hash: &'a ContentHash,
    overlays: &'a [SignedOverlay],
    golden: &'a [SignedGolden],
}

/// Checks that the statement is about the candidate in every respect: name, issuer, hashes, overlays, digests.
fn about(statement: &Statement, candidate: &Candidate, claim: &Claim<'_>) -> Result<(), Vec<Diagnostic>> {
    let differs = if claim.pack_ref != candidate.pack_ref() {
        format!("it is about `{}`", claim.pack_ref)
    } else if claim.issuer != candidate.issuer() {
        format!("it names the issuer `{}`, and the pack `{}`", claim.issuer, candidate.issuer())
    } else if *claim.content_hash != candidate.content_hash() {
        format!("it is about the document `{}`, and this one is `{}`", claim.content_hash, candidate.content_hash())
    } else if claim.overlays != candidate.signed_overlays() {
        "it is about other overlays".to_owned()
    } else if claim.golden != candidate.signed_golden() {
        "it is about other golden cases".to_owned()
    } else if statement.subject != subjects(candidate) {
        "its subjects have other digests".to_owned()
    } else {
        return Ok(());
    };
    let message = format!("the signed statement is not about this document: {differs}");
    Err(vec![
        refusal(codes::STATEMENT_ABOUT_OTHER_DOCUMENT, candidate, message)
            .help("the document changed after it was signed or reviewed: review and sign the present bytes"),
    ])
}

/// Returns the first trusted signer, or the reason why the first named one is not trusted.
fn believed(
    trust: &Trust,
    signers: &[KeyId],
    when: SigningTime,
    candidate: &dyn Signable,
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
    when: SigningTime,
    candidate: &dyn Signable,
    need: Need,
) -> Result<bool, Box<Diagnostic>> {
    let (key, retired_unknown) = match trust.standing(key_id, when) {
        Standing::Good(key) => (key, false),
        Standing::GoodIfBefore(key) => (key, true),
        Standing::Unknown => {
            let message = format!("the key `{key_id}` was not trusted when it signed");
            let help = "trust the key for the pack's issuer, then sign again";
            return Err(Box::new(refusal(codes::UNKNOWN_SIGNER, candidate, message).help(help)));
        }
        Standing::Revoked(_, reason) => {
            let message = format!("the key `{key_id}` was revoked: {reason}");
            let help = "no signature of a revoked key is valid: sign with another key of the issuer";
            return Err(Box::new(refusal(codes::KEY_REVOKED, candidate, message).help(help)));
        }
        Standing::Retired(_, by) => {
            let message = format!("the key `{key_id}` is retired and may sign nothing new");
            let help = format!("sign with `{by}`, which replaced it");
            return Err(Box::new(refusal(codes::KEY_RETIRED, candidate, message).help(help)));
        }
    };
    let issuer = candidate.issuer();
    match need {
        Need::Sign if key.issuer != issuer || !key.may_sign => {
            let message = format!("the key `{key_id}` may not sign for the issuer `{issuer}`");
            let help = "sign with a key that is trusted to sign for this issuer, or correct `contract_meta.issuer`";
            Err(Box::new(refusal(codes::NOT_FOR_ISSUER, candidate, message).help(help)))
        }
        Need::Review(role) if key.issuer != issuer || !key.review_roles.contains(&role) => {
            let message = format!("the key `{key_id}` may not review as `{role}` for the issuer `{issuer}`");
            let help = "review with a key that is trusted for this role and issuer";
            Err(Box::new(refusal(codes::NOT_FOR_ROLE, candidate, message).help(help)))
        }
        Need::Sign | Need::Review(_) => Ok(retired_unknown),
    }
}

fn not_an_envelope(candidate: &dyn Signable, message: String) -> Diagnostic {
    refusal(codes::UNUSABLE_ENVELOPE, candidate, message)
        .help("create the envelope with `deed pack sign` or `deed pack review`: DSSE around an in-toto Statement v1")
}

fn refusal(code: Code, candidate: &dyn Signable, message: String) -> Diagnostic {
    Diagnostic::error(code, message).stage("signature").at(candidate.place())
}
