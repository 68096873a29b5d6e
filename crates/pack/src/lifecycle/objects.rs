//! Prompts and validation packs as the subject of signatures and publication.

use super::endings::Endings;
use super::signed;
use super::trust::{SigningTime, Trust};
use super::verify::Signable;
use deed_canon::{CanonError, ContentHash, Envelope, KeyId, Statement, TypeTag, to_canonical_of};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{
    OBJECT_SIGNATURE_PREDICATE, ObjectKind, ObjectRef, ObjectSignature, PROMPT_TAG, PromptBinding, VALIDATION_PACK_TAG,
    ValidationPack,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A prompt or a validation pack as it is signed and published: its typed form, so that defaults are written out and
/// its hash is the one that profiles and snapshots have.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectCandidate {
    object: ObjectRef,
    issuer: String,
    bytes: Vec<u8>,
    content_hash: ContentHash,
}

impl ObjectCandidate {
    /// Creates the candidate of a prompt.
    ///
    /// # Errors
    /// It has no canonical form.
    pub fn of_prompt(prompt: &PromptBinding, issuer: &str) -> Result<Self, CanonError> {
        Self::of(ObjectRef::prompt(&prompt.prompt_ref), issuer, to_canonical_of(prompt)?)
    }

    /// Creates the candidate of a validation pack.
    ///
    /// # Errors
    /// It has no canonical form.
    pub fn of_pack(pack: &ValidationPack, issuer: &str) -> Result<Self, CanonError> {
        Self::of(ObjectRef::validation_pack(&pack.pack_ref), issuer, to_canonical_of(pack)?)
    }

    fn of(object: ObjectRef, issuer: &str, bytes: Vec<u8>) -> Result<Self, CanonError> {
        let mut tagged = format!("{}\n", tag(object.kind)).into_bytes();
        tagged.extend_from_slice(&bytes);
        Ok(Self { object, issuer: issuer.to_owned(), content_hash: ContentHash::of_bytes(&tagged), bytes })
    }

    /// Reads a candidate from its canonical bytes, as a registry stores them.
    ///
    /// # Errors
    /// The bytes are not in canonical form, or not an object of the kind.
    pub fn from_canonical(object: &ObjectRef, issuer: &str, bytes: Vec<u8>) -> Result<Self, Vec<Diagnostic>> {
        let name = match object.kind {
            ObjectKind::Prompt => typed(object, &bytes, |prompt: &PromptBinding| prompt.prompt_ref.clone()),
            ObjectKind::ValidationPack => typed(object, &bytes, |pack: &ValidationPack| pack.pack_ref.clone()),
        };
        let name = name?;
        if name != object.name {
            return Err(vec![unreadable(object, format!("its reference is `{name}`"))]);
        }
        Self::of(object.clone(), issuer, bytes).map_err(|error| vec![unreadable(object, error.to_string())])
    }

    /// Returns the object's reference.
    pub fn object(&self) -> &ObjectRef {
        &self.object
    }

    /// Returns the canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the typed hash of the document.
    pub fn content_hash(&self) -> ContentHash {
        self.content_hash
    }

    /// Returns the plain SHA-256 of the canonical bytes.
    pub fn sha256(&self) -> ContentHash {
        ContentHash::of_bytes(&self.bytes)
    }

    /// Returns the statement that its issuer signs.
    ///
    /// # Errors
    /// The statement has no canonical form.
    pub fn statement(&self) -> Result<Statement, CanonError> {
        let subject = signed::subject(self.object.subject(), self.sha256());
        signed::statement(subject, OBJECT_SIGNATURE_PREDICATE, &self.claim())
    }

    /// Verifies that a key which may sign for the issuer stated that exactly this document is this version.
    ///
    /// # Errors
    /// A diagnostic for each reason why the signature is not valid.
    pub fn verify(&self, envelope: &Envelope, trust: &Trust, when: SigningTime) -> Result<KeyId, Vec<Diagnostic>> {
        let subject = signed::subject(self.object.subject(), self.sha256());
        signed::verify(envelope, trust, when, (OBJECT_SIGNATURE_PREDICATE, &self.claim(), subject), self)
    }

    fn claim(&self) -> ObjectSignature {
        ObjectSignature { object: self.object.clone(), issuer: self.issuer.clone(), content_hash: self.content_hash }
    }
}

impl Signable for ObjectCandidate {
    fn issuer(&self) -> &str {
        &self.issuer
    }

    fn place(&self) -> Place {
        place_of(&self.object)
    }
}

fn tag(kind: ObjectKind) -> TypeTag {
    match kind {
        ObjectKind::Prompt => PROMPT_TAG,
        ObjectKind::ValidationPack => VALIDATION_PACK_TAG,
    }
}

/// Reads the typed form from its canonical bytes, and returns its reference.
fn typed<T: DeserializeOwned + Serialize>(
    object: &ObjectRef,
    bytes: &[u8],
    name: impl Fn(&T) -> String,
) -> Result<String, Vec<Diagnostic>> {
    let refuse = |why: String| vec![unreadable(object, why)];
    let value: T = serde_json::from_slice(bytes).map_err(|error| refuse(error.to_string()))?;
    match to_canonical_of(&value) {
        Ok(written) if written == bytes => Ok(name(&value)),
        Ok(_) => Err(refuse("the stored bytes are not in canonical form".to_owned())),
        Err(error) => Err(refuse(error.to_string())),
    }
}

/// Returns the place of findings about an object.
pub(super) fn place_of(object: &ObjectRef) -> Place {
    Place::file(object.subject())
}

fn unreadable(object: &ObjectRef, why: String) -> Diagnostic {
    let message = format!("the stored document of `{object}` is not a {}: {why}", object.kind.as_words());
    Diagnostic::error(codes::STORED_DOCUMENTS_DISAGREE, message)
        .stage("registry")
        .at(place_of(object))
        .help("restore the registry from a backup, and find out who changed it")
}

/// The publication of a version of an object, and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectPublication {
    /// The event.
    pub seq: u64,
    /// The typed hash of the document.
    pub content_hash: ContentHash,
    /// The blob with the document's canonical bytes.
    pub document: ContentHash,
    /// The blob with the signed statement.
    pub envelope: ContentHash,
    /// The issuer.
    pub issuer: String,
    /// The key that signed.
    pub key_id: KeyId,
    /// The events that ended it.
    pub endings: Endings,
}
