//! Whether a published version may be used, and whether its documents are the ones that were signed for.

use super::candidate::Candidate;
use super::history::{PackHistory, Publication, Recorded, ReviewRecord, SignatureRecord};
use super::reviews::{HeldReview, check_reviews};
use super::trust::{Trust, When};
use super::verify::verify_signature;
use deed_canon::KeyId;
use deed_diag::{Code, Diagnostic};

const NOT_SIGNED: Code = Code::new("D1203");
const NOT_PUBLISHED: Code = Code::new("D1205");
const DEPRECATED: Code = Code::new("D1206");
const REVOKED: Code = Code::new("D1207");
const NOT_THE_PUBLISHED: Code = Code::new("D1227");

/// What a version is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// New runs and new pins: neither deprecated nor revoked.
    NewWork,
    /// Repeating what was recorded: deprecated versions too.
    Replay,
    /// Looking at what was published: revoked versions too, since they are kept for audit.
    Audit,
}

/// Who stands behind a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicationProof {
    /// The key that signed for the issuer.
    pub signer: KeyId,
    /// The sign-offs that its policy asks for.
    pub reviews: Vec<HeldReview>,
}

/// The publication, if the version may be used for that purpose.
pub fn may_use(history: &PackHistory, purpose: Purpose) -> Result<&Publication, Vec<Diagnostic>> {
    let publication = published(history)?;
    if purpose != Purpose::Audit {
        not_revoked(history)?;
    }
    match (&history.deprecation, purpose) {
        (Some(ending), Purpose::NewWork) => {
            let message = format!("`{}` is deprecated: {}", history.pack_ref, ending.reason);
            Err(vec![
                refusal(history, DEPRECATED, message)
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
            true => format!("the registry knows no `{}`", history.pack_ref),
            false => format!("`{}` is not published", history.pack_ref),
        };
        vec![refusal(history, NOT_PUBLISHED, message).help("publish it first; `deed pack list` shows what is there")]
    })
}

pub(super) fn not_revoked(history: &PackHistory) -> Result<(), Vec<Diagnostic>> {
    match &history.revocation {
        None => Ok(()),
        Some(ending) => {
            let message = format!("`{}` is revoked: {}", history.pack_ref, ending.reason);
            Err(vec![refusal(history, REVOKED, message).help("pin another version; a revoked one never comes back")])
        }
    }
}

/// Verifies that the documents are the published ones, and that a signature and all reviews over them hold.
///
/// Signatures made after the publication count too: they let an issuer stand by unchanged bytes after the
/// first signer's key was revoked.
pub fn verify_publication(
    history: &PackHistory,
    trust: &Trust,
    candidate: &Candidate,
    signatures: &[Recorded<SignatureRecord>],
    reviews: &[Recorded<ReviewRecord>],
) -> Result<PublicationProof, Vec<Diagnostic>> {
    let publication = published(history)?;
    if !is_about(publication, history, candidate) {
        let message = format!("the stored documents are not the ones that were published as `{}`", history.pack_ref);
        return Err(vec![
            refusal(history, NOT_THE_PUBLISHED, message)
                .help("restore the registry from a backup, and find out who changed it"),
        ]);
    }
    let signer = held_signature(candidate, trust, signatures, |record| When::At(record.seq))?.0;
    let reviews = check_reviews(candidate, trust, reviews)?;
    Ok(PublicationProof { signer, reviews })
}

/// True where publication and documents agree in every recorded respect.
pub(super) fn is_about(publication: &Publication, history: &PackHistory, candidate: &Candidate) -> bool {
    history.pack_ref == *candidate.pack_ref()
        && publication.content_hash == candidate.content_hash()
        && publication.document == candidate.sha256()
        && publication.overlays == candidate.overlay_records()
        && publication.tenant_id == candidate.tenant_id()
        && publication.shared == candidate.shared()
}

/// The newest signature that holds, with its record; or why the newest does not.
pub(super) fn held_signature<'a>(
    candidate: &Candidate,
    trust: &Trust,
    signatures: &'a [Recorded<SignatureRecord>],
    when: impl Fn(&SignatureRecord) -> When,
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
            Diagnostic::error(NOT_SIGNED, message)
                .stage("lifecycle")
                .at(candidate.place())
                .help("sign these very bytes with a key that is trusted for the issuer"),
        ]
    }))
}

pub(super) fn refusal(history: &PackHistory, code: Code, message: String) -> Diagnostic {
    Diagnostic::error(code, message).stage("lifecycle").at(history.place())
}
