//! Documents that one signature of their issuer covers: profiles, prompts and validation packs.

use super::trust::{SigningTime, Trust};
use super::verify::{Signable, open_signed, signed_by};
use deed_canon::{CanonError, ContentHash, Envelope, KeyId, Statement, Subject};
use deed_diag::{Diagnostic, codes};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns the subject of a statement about a document: its name in the log, and the plain digest of its bytes.
pub(super) fn subject(name: String, sha256: ContentHash) -> Subject {
    Subject { name, digest: [("sha256".to_owned(), sha256.hex())].into() }
}

/// Returns the statement of a claim about a document.
///
/// # Errors
/// The statement has no canonical form.
pub(super) fn statement<C: Serialize>(subject: Subject, kind: &str, claim: &C) -> Result<Statement, CanonError> {
    let claim = serde_json::to_value(claim).map_err(|error| CanonError::NotJson(error.to_string()))?;
    Ok(Statement::new(vec![subject], kind, claim))
}

/// Verifies that a key which may sign for the issuer stated exactly this claim about exactly these bytes.
///
/// # Errors
/// A diagnostic for each reason why the signature is not valid.
pub(super) fn verify<C: DeserializeOwned + PartialEq>(
    envelope: &Envelope,
    trust: &Trust,
    when: SigningTime,
    (kind, claim, subject): (&str, &C, Subject),
    signed: &dyn Signable,
) -> Result<KeyId, Vec<Diagnostic>> {
    let (statement, signers) = open_signed(envelope, trust, kind, signed)?;
    let claimed = C::deserialize(&statement.predicate).ok();
    if claimed.as_ref() != Some(claim) || statement.subject != [subject] {
        let message = "the signed statement is not about this document";
        let help = "the document changed after it was signed: sign the present bytes";
        let found = Diagnostic::error(codes::STATEMENT_ABOUT_OTHER_DOCUMENT, message).stage("signature");
        return Err(vec![found.at(signed.place()).help(help)]);
    }
    signed_by(trust, &signers, when, signed)
}
