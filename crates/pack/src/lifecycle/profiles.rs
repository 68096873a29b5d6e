//! Published profiles and their bindings as a fold over events, and profiles as the subject of signatures.

use super::endings::Endings;
use super::history::EndRecord;
use super::objects::ObjectPublication;
use super::signed;
use super::trust::{SigningTime, Trust};
use super::verify::Signable;
use deed_canon::{CanonError, ContentHash, Envelope, KeyId, Statement, hash_of, parse, to_canonical};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{
    ExecutionProfile, NamedObject, ObjectKind, ObjectRef, PROFILE_SIGNATURE_PREDICATE, PROFILE_TAG, PROMPT_TAG,
    ProfileRef, ProfileScope, ProfileSignature, PublishedPrompt, RegistryEvent, VALIDATION_PACK_TAG, ValidationMode,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A profile as it is signed and published.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileCandidate {
    profile_ref: ProfileRef,
    issuer: String,
    bytes: Vec<u8>,
    content_hash: ContentHash,
    prompts: Vec<PublishedPrompt>,
    packs: Vec<NamedObject>,
    named: BTreeSet<ObjectRef>,
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
        let named = named(&profile);
        let issuer = profile.issuer.ok_or_else(|| refuse("it names no `issuer`".to_owned()))?;
        let prompts = profile.prompts.iter().map(|prompt| {
            Ok(PublishedPrompt { prompt_ref: prompt.prompt_ref.clone(), hash: hash_of(&PROMPT_TAG, prompt)? })
        });
        let prompts = prompts.collect::<Result<_, CanonError>>().map_err(|error| refuse(error.to_string()))?;
        let packs = profile.validation.packs.iter().map(|pack| {
            let object = ObjectRef::validation_pack(&pack.pack_ref);
            Ok(NamedObject { object, content_hash: hash_of(&VALIDATION_PACK_TAG, pack)? })
        });
        let packs = packs.collect::<Result<_, CanonError>>().map_err(|error| refuse(error.to_string()))?;
        let mut tagged = format!("{PROFILE_TAG}\n").into_bytes();
        tagged.extend_from_slice(&bytes);
        Ok(Self { profile_ref, issuer, bytes, content_hash: ContentHash::of_bytes(&tagged), prompts, packs, named })
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

    /// Returns the validation packs of the profile.
    pub fn validation_packs(&self) -> &[NamedObject] {
        &self.packs
    }

    /// Returns the prompts and the validation packs that the profile holds, with their hashes.
    pub fn held(&self) -> Vec<NamedObject> {
        let prompts = self.prompts.iter();
        let prompts = prompts
            .map(|prompt| NamedObject { object: ObjectRef::prompt(&prompt.prompt_ref), content_hash: prompt.hash });
        prompts.chain(self.packs.iter().cloned()).collect()
    }

    /// Returns the objects that the profile names with a version and does not hold.
    pub fn named(&self) -> &BTreeSet<ObjectRef> {
        &self.named
    }

    /// Returns the statement that its issuer signs.
    ///
    /// # Errors
    /// The statement has no canonical form.
    pub fn statement(&self) -> Result<Statement, CanonError> {
        signed::statement(self.subject(), PROFILE_SIGNATURE_PREDICATE, &self.claim())
    }

    /// Verifies that a key which may sign for the issuer stated that exactly this document is this version.
    ///
    /// # Errors
    /// A diagnostic for each reason why the signature is not valid.
    pub fn verify(&self, envelope: &Envelope, trust: &Trust, when: SigningTime) -> Result<KeyId, Vec<Diagnostic>> {
        signed::verify(envelope, trust, when, (PROFILE_SIGNATURE_PREDICATE, &self.claim(), self.subject()), self)
    }

    fn claim(&self) -> ProfileSignature {
        ProfileSignature {
            profile_ref: self.profile_ref.clone(),
            issuer: self.issuer.clone(),
            content_hash: self.content_hash,
        }
    }

    fn subject(&self) -> deed_canon::Subject {
        signed::subject(format!("profile:{}", self.profile_ref), self.sha256())
    }
}

/// Returns the objects that a profile names with a version and does not hold. A phase that is off names none.
fn named(profile: &ExecutionProfile) -> BTreeSet<ObjectRef> {
    let phases = profile.validation.phases.parts().into_iter().filter_map(|(_, phase)| phase);
    let packs = phases.filter(|phase| phase.mode != ValidationMode::Off).flat_map(|phase| {
        let own = phase.pack_ref.iter().chain(&phase.default_pack_ref);
        own.chain(phase.matchers.iter().map(|matcher| &matcher.pack_ref)).cloned()
    });
    let packs = packs.map(|name| ObjectRef { kind: ObjectKind::ValidationPack, name });
    let prompts = profile.prompt_references().into_iter().filter(|name| name.contains('@'));
    let prompts = prompts.map(|name| ObjectRef { kind: ObjectKind::Prompt, name });
    let own = profile.prompts.iter().map(|prompt| ObjectRef::prompt(&prompt.prompt_ref));
    let own = own.chain(profile.validation.packs.iter().map(|pack| ObjectRef::validation_pack(&pack.pack_ref)));
    let own: BTreeSet<ObjectRef> = own.collect();
    packs.chain(prompts).filter(|object| !own.contains(object)).collect()
}

impl Signable for ProfileCandidate {
    fn issuer(&self) -> &str {
        &self.issuer
    }

    fn place(&self) -> Place {
        place_of(&self.profile_ref)
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
    /// The published objects that it names and does not hold.
    pub names: Vec<NamedObject>,
    /// The events that ended it.
    pub endings: Endings,
}

/// The profile that is bound to a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileBindingRecord {
    /// The event.
    pub seq: u64,
    /// The profile.
    pub profile_ref: ProfileRef,
}

/// The published profiles, prompts and validation packs, and the bindings of profiles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileRegistry {
    published: BTreeMap<ProfileRef, ProfilePublication>,
    objects: BTreeMap<ObjectRef, ObjectPublication>,
    /// The hash of every version of a prompt or a pack, whether published by itself or in a profile.
    texts: BTreeMap<ObjectRef, ContentHash>,
    /// None for a scope whose binding was ended.
    bindings: BTreeMap<ProfileScope, Option<ProfileBindingRecord>>,
}

impl ProfileRegistry {
    /// Applies one more event; events about other things are ignored.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        match event {
            RegistryEvent::ProfilePublished {
                profile_ref,
                content_hash,
                document,
                envelope,
                key_id,
                prompts,
                validation_packs: packs,
                names,
            } => {
                let (content_hash, document, envelope) = (*content_hash, *document, *envelope);
                let (key_id, names, endings) = (key_id.clone(), names.clone(), Endings::default());
                let record = ProfilePublication { seq, content_hash, document, envelope, key_id, names, endings };
                self.published.insert(profile_ref.clone(), record);
                self.texts.extend(prompts.iter().map(|prompt| (ObjectRef::prompt(&prompt.prompt_ref), prompt.hash)));
                self.texts.extend(packs.iter().map(|pack| (pack.object.clone(), pack.content_hash)));
            }
            RegistryEvent::ProfileBound { profile_ref, scope, content_hash: _, replaces: _ } => {
                let record = ProfileBindingRecord { seq, profile_ref: profile_ref.clone() };
                self.bindings.insert(scope.clone(), Some(record));
            }
            RegistryEvent::ProfileUnbound { scope, profile_ref: _, reason: _ } => {
                self.bindings.insert(scope.clone(), None);
            }
            RegistryEvent::ProfileDeprecated { profile_ref, reason } => {
                let record = self.published.get_mut(profile_ref).map(|found| &mut found.endings.deprecation);
                end(record, seq, reason);
            }
            RegistryEvent::ProfileRevoked { profile_ref, reason } => {
                let record = self.published.get_mut(profile_ref).map(|found| &mut found.endings.revocation);
                end(record, seq, reason);
            }
            RegistryEvent::ObjectPublished { object, content_hash, document, envelope, issuer, key_id } => {
                let record = ObjectPublication {
                    seq,
                    content_hash: *content_hash,
                    document: *document,
                    envelope: *envelope,
                    issuer: issuer.clone(),
                    key_id: key_id.clone(),
                    endings: Endings::default(),
                };
                self.objects.insert(object.clone(), record);
                self.texts.insert(object.clone(), *content_hash);
            }
            RegistryEvent::ObjectDeprecated { object, reason } => {
                let record = self.objects.get_mut(object).map(|found| &mut found.endings.deprecation);
                end(record, seq, reason);
            }
            RegistryEvent::ObjectRevoked { object, reason } => {
                let record = self.objects.get_mut(object).map(|found| &mut found.endings.revocation);
                end(record, seq, reason);
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

    /// Returns the publication of an object.
    pub fn object(&self, object: &ObjectRef) -> Option<&ObjectPublication> {
        self.objects.get(object)
    }

    /// Iterates over the published objects, by kind and name.
    pub fn objects(&self) -> impl Iterator<Item = (&ObjectRef, &ObjectPublication)> {
        self.objects.iter()
    }

    /// Returns the hash under which a prompt or a pack was published, by itself or in a profile.
    pub fn text(&self, object: &ObjectRef) -> Option<&ContentHash> {
        self.texts.get(object)
    }

    /// Returns the profiles that may still be used and name an object.
    pub fn naming(&self, object: &ObjectRef) -> Vec<&ProfileRef> {
        let live = self.published.iter().filter(|(_, found)| found.endings.reason().is_none());
        let naming = live.filter(|(_, found)| found.names.iter().any(|named| named.object == *object));
        naming.map(|(reference, _)| reference).collect()
    }

    /// Returns the profile that is bound to a scope.
    pub fn bound(&self, scope: &ProfileScope) -> Option<&ProfileBindingRecord> {
        self.bindings.get(scope)?.as_ref()
    }

    /// Returns true if the scope had a binding that was ended.
    pub fn was_bound(&self, scope: &ProfileScope) -> bool {
        self.bindings.get(scope).is_some_and(Option::is_none)
    }

    /// Iterates over the bindings, by scope.
    pub fn bindings(&self) -> impl Iterator<Item = (&ProfileScope, &ProfileBindingRecord)> {
        self.bindings.iter().filter_map(|(scope, record)| Some((scope, record.as_ref()?)))
    }

    /// Returns the scopes that a profile is bound to.
    pub fn scopes_of(&self, profile_ref: &ProfileRef) -> Vec<&ProfileScope> {
        let bound = self.bindings().filter(|(_, record)| record.profile_ref == *profile_ref);
        bound.map(|(scope, _)| scope).collect()
    }
}

/// Records the first end of its kind.
fn end(record: Option<&mut Option<EndRecord>>, seq: u64, reason: &str) {
    if let Some(record) = record {
        record.get_or_insert_with(|| EndRecord { seq, reason: reason.to_owned() });
    }
}

/// Returns the place of findings about a published profile.
pub(super) fn place_of(profile_ref: &ProfileRef) -> Place {
    Place::file(format!("profile:{profile_ref}"))
}
