//! Checks that a published version may be used, and that its documents are the signed ones.

use super::candidate::Candidate;
use super::history::{PackHistory, Publication, RecordWithEnvelope, ReviewRecord, SignatureRecord};
use super::reviews::{CountedReview, check_reviews};
use super::trust::{SigningTime, Trust};
use super::verify::verify_signature;
use deed_canon::KeyId;
use deed_diag::{Code, Diagnostic, codes};

/// The purpose that a version is requested for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// New runs and new pins: neither deprecated nor revoked.
    NewWork,
    /// Replay of recorded runs: deprecated versions too.
    Replay,
    /// Audit: revoked versions too, since they are kept for that.
    Audit,
}

/// The proof of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicationProof {
    /// The key that signed for the issuer.
    pub signer: KeyId,
    /// The sign-offs that its policy requires.
    pub reviews: Vec<CountedReview>,
}

/// Returns the publication, if the version may be used for that purpose.
///
/// # Errors
/// If the version is not published, or deprecated or revoked for that purpose.
pub fn may_use(history: &PackHistory, purpose: Purpose) -> Result<&Publication, Vec<Diagnostic>> {
    let publication = published(history)?;
    if purpose != Purpose::Audit {
        not_revoked(history)?;
    }
    match (&history.deprecation, purpose) {
        (Some(ending), Purpose::NewWork) => {
            let message = format!("`{}` is deprecated: {}", history.pack_ref, ending.reason);
            Err(vec![
                refusal(history, codes::DEPRECATED, message)
                    .help("pin a version that is not deprecated; this one can only be replayed"),
            ])
        }
        (Some(_), Purpose::Replay | Purpose::Audit) | (None, Purpose::NewWork | Purpose::Replay | Purpose::Audit) => {
            Ok(publication)
        }
    }
}

pub(super) fn published(history: &PackHistory) -> Result<&Publication, Vec<Diagnostic>> {
    history.publication.as_ref().ok_or_else(|| {
        let message = match history.candidates.is_empty() {
            true => format!("the registry has no `{}`", history.pack_ref),
            false => format!("`{}` is not published", history.pack_ref),
        };
        vec![
            refusal(history, codes::NOT_PUBLISHED, message)
                .help("publish it first; `deed pack list` lists the versions"),
        ]
    })
}

pub(super) fn not_revoked(history: &PackHistory) -> Result<(), Vec<Diagnostic>> {
    match &history.revocation {
        None => Ok(()),
        Some(ending) => {
            let message = format!("`{}` is revoked: {}", history.pack_ref, ending.reason);
            Err(vec![
                refusal(history, codes::REVOKED, message).help("pin another version; a revoked one stays blocked"),
            ])
        }
    }
}

/// Verifies that the documents are the published ones, and that a signature and all reviews over them are valid.
///
/// Signatures made after the publication count too: with them an issuer can confirm unchanged bytes after the first
/// signer's key was revoked.
///
/// # Errors
/// A diagnostic for each part that does not verify.
pub fn verify_publication(
    history: &PackHistory,
    trust: &Trust,
    candidate: &Candidate,
    signatures: &[RecordWithEnvelope<SignatureRecord>],
    reviews: &[RecordWithEnvelope<ReviewRecord>],
) -> Result<PublicationProof, Vec<Diagnostic>> {
    let publication = published(history)?;
    if !is_about(publication, history, candidate) {
        let message = format!("the stored documents are not the ones that were published as `{}`", history.pack_ref);
        return Err(vec![
            refusal(history, codes::STORED_DOCUMENTS_DISAGREE, message)
                .help("restore the registry from a backup, and find out who changed it"),
        ]);
    }
    let signer = held_signature(candidate, trust, signatures, |record| SigningTime::At(record.seq))?.0;
    let reviews = check_reviews(candidate, trust, reviews)?;
    Ok(PublicationProof { signer, reviews })
}

/// Returns true if publication and documents agree in every recorded respect.
pub(super) fn is_about(publication: &Publication, history: &PackHistory, candidate: &Candidate) -> bool {
    history.pack_ref == *candidate.pack_ref()
        && publication.content_hash == candidate.content_hash()
        && publication.document == candidate.sha256()
        && publication.overlays == candidate.overlay_records()
        && publication.golden == candidate.golden_records()
        && publication.tenant_id == candidate.tenant_id()
        && publication.shared == candidate.shared()
}

/// Returns the newest valid signature, with its record; or the reason why the newest is not valid.
pub(super) fn held_signature<'a>(
    candidate: &Candidate,
    trust: &Trust,
    signatures: &'a [RecordWithEnvelope<SignatureRecord>],
    when: impl Fn(&SignatureRecord) -> SigningTime,
) -> Result<(KeyId, &'a SignatureRecord), Vec<Diagnostic>> {
    let mut faults: Option<Vec<Diagnostic>> = None;
    for signature in signatures.iter().rev() {
        match verify_signature(&signature.envelope, trust, when(&signature.record), candidate) {
            Ok(verified) => return Ok((verified.key_id, &signature.record)),
            Err(found) => {
                faults.get_or_insert(found);
            }
        }
    }
    Err(faults.unwrap_or_else(|| {
        let message = format!("`{}` is not signed by its issuer `{}`", candidate.pack_ref(), candidate.issuer());
        vec![
            Diagnostic::error(codes::NOT_SIGNED, message)
                .stage("lifecycle")
                .at(candidate.place())
                .help("sign exactly these bytes with a key that is trusted for the issuer"),
        ]
    }))
}

pub(super) fn refusal(history: &PackHistory, code: Code, message: String) -> Diagnostic {
    Diagnostic::error(code, message).stage("lifecycle").at(history.place())
}
