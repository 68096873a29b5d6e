//! Published profiles and their bindings as a fold over events, and profiles as the subject of signatures.

use super::trust::{SigningTime, Trust};
use super::verify::{Signable, open_signed, signed_by};
use deed_canon::{CanonError, ContentHash, Envelope, KeyId, Statement, Subject, hash_of, parse, to_canonical};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{
    ExecutionProfile, PROFILE_SIGNATURE_PREDICATE, PROFILE_TAG, PROMPT_TAG, ProfileRef, ProfileScope, ProfileSignature,
    PublishedPrompt, RegistryEvent,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A profile as it is signed and published.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileCandidate {
    profile_ref: ProfileRef,
    issuer: String,
    bytes: Vec<u8>,
    content_hash: ContentHash,
    prompts: Vec<PublishedPrompt>,
}

impl ProfileCandidate {
    /// Reads a profile from its canonical bytes.
    ///
    /// # Errors
    /// The bytes are not in canonical form, are not a profile, or name no issuer.
    pub fn from_canonical(bytes: Vec<u8>) -> Result<Self, Vec<Diagnostic>> {
        let refuse = |why: String| vec![not_publishable(why)];
        let value = parse(&bytes).map_err(|error| refuse(error.to_string()))?;
        if to_canonical(&value).ok().as_ref() != Some(&bytes) {
            return Err(refuse("the bytes are not in canonical form".to_owned()));
        }
        let profile = ExecutionProfile::deserialize(&value).map_err(|error| refuse(error.to_string()))?;
        let profile_ref =
            ProfileRef::of(&profile.profile_id, &profile.version).map_err(|error| refuse(error.to_string()))?;
        let issuer = profile.issuer.ok_or_else(|| refuse("it names no `issuer`".to_owned()))?;
        let prompts = profile.prompts.iter().map(|prompt| {
            Ok(PublishedPrompt { prompt_ref: prompt.prompt_ref.clone(), hash: hash_of(&PROMPT_TAG, prompt)? })
        });
        let prompts = prompts.collect::<Result<_, CanonError>>().map_err(|error| refuse(error.to_string()))?;
        let mut tagged = format!("{PROFILE_TAG}\n").into_bytes();
        tagged.extend_from_slice(&bytes);
        Ok(Self { profile_ref, issuer, bytes, content_hash: ContentHash::of_bytes(&tagged), prompts })
    }

    /// Returns the profile's reference.
    pub fn profile_ref(&self) -> &ProfileRef {
        &self.profile_ref
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

    /// Returns the prompts of the profile.
    pub fn prompts(&self) -> &[PublishedPrompt] {
        &self.prompts
    }

    /// Returns the statement that its issuer signs.
    ///
    /// # Errors
    /// The statement has no canonical form.
    pub fn statement(&self) -> Result<Statement, CanonError> {
        let claim = serde_json::to_value(self.claim()).map_err(|error| CanonError::NotJson(error.to_string()))?;
        Ok(Statement::new(vec![self.subject()], PROFILE_SIGNATURE_PREDICATE, claim))
    }

    /// Verifies that a key which may sign for the issuer stated that exactly this document is this version.
    ///
    /// # Errors
    /// A diagnostic for each reason why the signature is not valid.
    pub fn verify(&self, envelope: &Envelope, trust: &Trust, when: SigningTime) -> Result<KeyId, Vec<Diagnostic>> {
        let (statement, signers) = open_signed(envelope, trust, PROFILE_SIGNATURE_PREDICATE, self)?;
        let claimed = ProfileSignature::deserialize(&statement.predicate).ok();
        if claimed.as_ref() != Some(&self.claim()) || statement.subject != [self.subject()] {
            let message = "the signed statement is not about this document";
            let help = "the document changed after it was signed: sign the present bytes";
            let found = Diagnostic::error(codes::STATEMENT_ABOUT_OTHER_DOCUMENT, message).stage("signature");
            return Err(vec![found.at(self.place()).help(help)]);
        }
        signed_by(trust, &signers, when, self)
    }

    fn claim(&self) -> ProfileSignature {
        ProfileSignature {
            profile_ref: self.profile_ref.clone(),
            issuer: self.issuer.clone(),
            content_hash: self.content_hash,
        }
    }

    fn subject(&self) -> Subject {
        let name = format!("profile:{}", self.profile_ref);
        Subject { name, digest: [("sha256".to_owned(), self.sha256().hex())].into() }
    }
}

impl Signable for ProfileCandidate {
    fn issuer(&self) -> &str {
        &self.issuer
    }

    fn place(&self) -> Place {
        Place::file(format!("profile:{}", self.profile_ref))
    }
}

fn not_publishable(why: String) -> Diagnostic {
    Diagnostic::error(codes::NOT_A_PROFILE, format!("the profile cannot be published: {why}"))
        .stage("profile")
        .at(Place::file("profile"))
        .help("run `deed profile lint` on it: it names every fault with its place")
}

/// The publication of a version of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfilePublication {
    /// The event.
    pub seq: u64,
    /// The typed hash of the document.
    pub content_hash: ContentHash,
    /// The blob with the document's canonical bytes.
    pub document: ContentHash,
    /// The blob with the signed statement.
    pub envelope: ContentHash,
    /// The key that signed.
    pub key_id: KeyId,
}

/// The profile that is bound to a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileBindingRecord {
    /// The event.
    pub seq: u64,
    /// The profile.
    pub profile_ref: ProfileRef,
}

/// The published profiles, their prompts and their bindings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileRegistry {
    published: BTreeMap<ProfileRef, ProfilePublication>,
    prompts: BTreeMap<String, ContentHash>,
    bindings: BTreeMap<ProfileScope, ProfileBindingRecord>,
}

impl ProfileRegistry {
    /// Applies one more event; events about other things are ignored.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        match event {
            RegistryEvent::ProfilePublished { profile_ref, content_hash, document, envelope, key_id, prompts } => {
                let (content_hash, document, envelope) = (*content_hash, *document, *envelope);
                let record = ProfilePublication { seq, content_hash, document, envelope, key_id: key_id.clone() };
                self.published.insert(profile_ref.clone(), record);
                self.prompts.extend(prompts.iter().map(|prompt| (prompt.prompt_ref.clone(), prompt.hash)));
            }
            RegistryEvent::ProfileBound { profile_ref, scope, content_hash: _, replaces: _ } => {
                let record = ProfileBindingRecord { seq, profile_ref: profile_ref.clone() };
                self.bindings.insert(scope.clone(), record);
            }
            _ => {}
        }
    }

    /// Returns the publication of a version.
    pub fn publication(&self, profile_ref: &ProfileRef) -> Option<&ProfilePublication> {
        self.published.get(profile_ref)
    }

    /// Iterates over the published versions, by id and version.
    pub fn published(&self) -> impl Iterator<Item = (&ProfileRef, &ProfilePublication)> {
        self.published.iter()
    }

    /// Returns the hash under which a prompt was published.
    pub fn prompt(&self, prompt_ref: &str) -> Option<&ContentHash> {
        self.prompts.get(prompt_ref)
    }

    /// Returns the profile that is bound to a scope.
    pub fn bound(&self, scope: &ProfileScope) -> Option<&ProfileBindingRecord> {
        self.bindings.get(scope)
    }

    /// Iterates over the bindings, by scope.
    pub fn bindings(&self) -> impl Iterator<Item = (&ProfileScope, &ProfileBindingRecord)> {
        self.bindings.iter()
    }
}
