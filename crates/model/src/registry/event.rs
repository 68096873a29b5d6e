//! Audit events. The state of the registry is a fold over them.

use super::endpoint::Endpoint;
use super::object::{NamedObject, ObjectRef};
use super::policy::RegistryPolicy;
use super::profile::{ProfileScope, PublishedPrompt};
use super::release::{ArchiveKind, RecheckTrigger, RegressionMetric};
use super::statement::{SignedGolden, SignedOverlay};
use super::trust::TrustedKey;
use crate::{OverlayRef, PackRef, ProfileRef, ReviewRole};
use deed_canon::{ContentHash, KeyId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One entry of the audit log: the body of a link in the hash chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditEvent {
    /// The version of this record's format. A reader refuses a version that it does not know.
    pub format: u32,
    /// The time, in RFC 3339 and UTC.
    pub at: String,
    /// The actor, as named by the caller.
    pub actor: String,
    /// The event.
    pub event: RegistryEvent,
}

/// An event of the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RegistryEvent {
    /// A key was trusted to sign or review for an issuer.
    KeyTrusted {
        /// The key and its permissions.
        key: TrustedKey,
        /// The key that it replaces, which may no longer sign.
        #[schemars(with = "Option<String>")]
        replaces: Option<KeyId>,
    },
    /// A key was revoked; nothing that it ever signed is trusted.
    KeyRevoked {
        /// The key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// The reason.
        reason: String,
    },
    /// The policy of the registry was set.
    RegistryPolicySet {
        /// The policy from now on.
        policy: RegistryPolicy,
        /// The reason.
        reason: String,
    },
    /// An entry of the endpoint registry was set.
    EndpointSet {
        /// The entry from now on.
        endpoint: Endpoint,
    },
    /// An entry of the endpoint registry was removed.
    EndpointRemoved {
        /// The reference.
        endpoint_ref: String,
        /// The environment.
        environment: String,
        /// The reason.
        reason: String,
    },
    /// A draft passed lint.
    PackLinted {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the linted document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The overlays that were linted with it, in order of application.
        overlays: Vec<SignedOverlay>,
        /// The golden cases that passed, by name. Absent in logs from before they were part of a pack.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        golden: Vec<SignedGolden>,
        /// The number of warnings.
        warnings: u64,
    },
    /// A reviewer signed off.
    PackReviewed {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the reviewed document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The role.
        role: ReviewRole,
        /// The reviewer's key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// The blob with the signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
    },
    /// The issuer signed.
    PackSigned {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the signed document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The issuer's key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// The blob with the signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
        /// The policy that it was judged by. Absent in logs from before there was one; once an event states one, every later
        /// signature does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<RegistryPolicy>,
    },
    /// A version was published; from now on it exists and never changes.
    PackPublished {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the published document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The blob with the document's canonical bytes.
        #[schemars(with = "String")]
        document: ContentHash,
        /// The blob with the issuer's signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
        /// The overlays that belong to the version.
        overlays: Vec<OverlayRecord>,
        /// The golden cases that belong to the version, by name. Absent in logs from before they were part of a pack.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        golden: Vec<GoldenRecord>,
        /// The tenant that owns the pack.
        tenant_id: String,
        /// True if other tenants may pin it.
        shared: bool,
    },
    /// A version was pinned in an environment.
    PackPinned {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the pinned document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The environment.
        environment: String,
        /// The tenant of the environment.
        tenant_id: String,
        /// The version that was pinned before.
        replaces: Option<PackRef>,
        /// True if the pin led back to an earlier one of the environment. In earlier logs also true for any lower version.
        rollback: bool,
        /// The overlays that the environment applies, by name, in the declared order. Absent in logs from before pins bound
        /// overlays, which bound none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        overlays: Vec<String>,
        /// The milliseconds that a rollback took until it was recorded, golden cases included. Absent for other pins, where
        /// the time was set by the caller, and in logs from before it was measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_ms: Option<u64>,
    },
    /// An environment no longer uses a version, nor any other of the pack.
    PackUnpinned {
        /// The pack that was pinned.
        pack_ref: PackRef,
        /// The environment.
        environment: String,
        /// The tenant of the environment.
        tenant_id: String,
        /// The reason.
        reason: String,
    },
    /// A run or a recording used a version for the first time, in an environment or without one.
    PackObserved {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the document that was used.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The environment that named the version; none if the caller named it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        environment: Option<String>,
        /// The tenant that used it.
        tenant_id: String,
        /// The run or recording.
        by: PackUse,
    },
    /// A version that was observed in an environment was promoted there.
    PackPromoted {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the promoted document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The environment.
        environment: String,
        /// The tenant of the environment.
        tenant_id: String,
    },
    /// A regression of a candidate was accepted. It covers exactly this finding about exactly these documents.
    PackRegressionAccepted {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The metric that gets worse.
        metric: RegressionMetric,
        /// The hash of the finding.
        #[schemars(with = "String")]
        finding: ContentHash,
        /// The finding in words.
        what: String,
        /// The role that accepted it.
        role: ReviewRole,
        /// The reason.
        reason: String,
    },
    /// A published version was checked again after something that it refers to changed.
    PackRechecked {
        /// The pack.
        pack_ref: PackRef,
        /// The hash of the checked document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The change.
        trigger: RecheckTrigger,
        /// The name of what changed, such as the id of an adapter.
        dependency: String,
        /// The hash of the changed document, over its canonical form.
        #[schemars(with = "String")]
        dependency_hash: ContentHash,
        /// The number of errors; 0 if the version fits.
        errors: u64,
        /// The number of warnings.
        warnings: u64,
    },
    /// An archive of recordings was named: every release is tried on it.
    ArchiveNamed {
        /// Its name.
        name: String,
        /// The kind of its recordings.
        archive_kind: ArchiveKind,
        /// The folder: relative to the folder of the project if it lies in it.
        path: String,
        /// The hash over the names and hashes of its files.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The number of its recordings.
        recordings: u64,
    },
    /// An archive is no longer tried.
    ArchiveForgotten {
        /// Its name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A version of a profile was published; from now on it exists and never changes.
    ProfilePublished {
        /// The profile.
        profile_ref: ProfileRef,
        /// The hash of the published document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The blob with the document's canonical bytes.
        #[schemars(with = "String")]
        document: ContentHash,
        /// The blob with the issuer's signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
        /// The issuer's key.
        #[schemars(with = "String")]
        key_id: KeyId,
        /// The prompts of the profile, which never change either.
        prompts: Vec<PublishedPrompt>,
        /// The validation packs of the profile. Absent in events from before they were recorded.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        validation_packs: Vec<NamedObject>,
        /// The published objects that the profile names and does not hold. Absent in events from before objects were
        /// published by themselves.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<NamedObject>,
    },
    /// A published profile was bound to a scope.
    ProfileBound {
        /// The profile.
        profile_ref: ProfileRef,
        /// The hash of the bound document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The scope.
        scope: ProfileScope,
        /// The profile that was bound before.
        replaces: Option<ProfileRef>,
    },
    /// The binding of a scope was ended.
    ProfileUnbound {
        /// The profile that was bound.
        profile_ref: ProfileRef,
        /// The scope.
        scope: ProfileScope,
        /// The reason.
        reason: String,
    },
    /// A version of a profile was deprecated: from now on it governs no new run.
    ProfileDeprecated {
        /// The profile.
        profile_ref: ProfileRef,
        /// The reason.
        reason: String,
    },
    /// A version of a profile was revoked: from now on it is blocked.
    ProfileRevoked {
        /// The profile.
        profile_ref: ProfileRef,
        /// The reason.
        reason: String,
    },
    /// A version of a prompt or a validation pack was published by itself; from now on it exists and never changes.
    ObjectPublished {
        /// The object.
        object: ObjectRef,
        /// Typed hash of the document.
        #[schemars(with = "String")]
        content_hash: ContentHash,
        /// The blob with the document's canonical bytes.
        #[schemars(with = "String")]
        document: ContentHash,
        /// The blob with the issuer's signed statement.
        #[schemars(with = "String")]
        envelope: ContentHash,
        /// The issuer.
        issuer: String,
        /// The issuer's key.
        #[schemars(with = "String")]
        key_id: KeyId,
    },
    /// A version of an object was deprecated: from now on no profile may name it for new work.
    ObjectDeprecated {
        /// The object.
        object: ObjectRef,
        /// The reason.
        reason: String,
    },
    /// A version of an object was revoked: from now on it is blocked.
    ObjectRevoked {
        /// The object.
        object: ObjectRef,
        /// The reason.
        reason: String,
    },
    /// A version was deprecated: from now on it is for replay only.
    PackDeprecated {
        /// The pack.
        pack_ref: PackRef,
        /// The reason.
        reason: String,
    },
    /// A version was revoked: from now on it is blocked.
    PackRevoked {
        /// The pack.
        pack_ref: PackRef,
        /// The reason.
        reason: String,
    },
}

/// A use of a pack that is observed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PackUse {
    /// A run whose approval gates come from the pack.
    Run {
        /// The run.
        run_id: String,
    },
    /// A recorded compile.
    Recording {
        /// The recording.
        packet_id: String,
    },
}

impl std::fmt::Display for PackUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Run { run_id } => write!(f, "run {run_id}"),
            Self::Recording { packet_id } => write!(f, "recording {packet_id}"),
        }
    }
}

/// An overlay that was published with its pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverlayRecord {
    /// The overlay.
    pub overlay_ref: OverlayRef,
    /// The hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The blob with the document's canonical bytes.
    #[schemars(with = "String")]
    pub document: ContentHash,
}

/// A golden case that was published with its pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenRecord {
    /// Its name.
    pub name: String,
    /// The hash of the document.
    #[schemars(with = "String")]
    pub content_hash: ContentHash,
    /// The blob with the document's canonical bytes.
    #[schemars(with = "String")]
    pub document: ContentHash,
}

impl RegistryEvent {
    /// Returns the subjects whose state the event changes: `pack:…`, `environment:…`, `key:…`, `endpoint:…`,
    /// `archive:…`, `profile:…`, `prompt:…`, `valpack:…` or `policy`.
    pub fn subjects(&self) -> Vec<String> {
        match self {
            Self::KeyTrusted { key, replaces } => {
                std::iter::once(&key.key_id).chain(replaces).map(|id| format!("key:{id}")).collect()
            }
            Self::KeyRevoked { key_id, .. } => vec![format!("key:{key_id}")],
            Self::RegistryPolicySet { .. } => vec!["policy".to_owned()],
            Self::EndpointSet { endpoint } => {
                vec![format!("endpoint:{}:{}", endpoint.environment, endpoint.endpoint_ref)]
            }
            Self::EndpointRemoved { endpoint_ref, environment, .. } => {
                vec![format!("endpoint:{environment}:{endpoint_ref}")]
            }
            Self::ArchiveNamed { name, .. } | Self::ArchiveForgotten { name, .. } => vec![format!("archive:{name}")],
            Self::ProfilePublished { profile_ref, .. }
            | Self::ProfileBound { profile_ref, .. }
            | Self::ProfileUnbound { profile_ref, .. }
            | Self::ProfileDeprecated { profile_ref, .. }
            | Self::ProfileRevoked { profile_ref, .. } => vec![format!("profile:{profile_ref}")],
            Self::ObjectPublished { object, .. }
            | Self::ObjectDeprecated { object, .. }
            | Self::ObjectRevoked { object, .. } => vec![object.subject()],
            Self::PackLinted { pack_ref, .. }
            | Self::PackReviewed { pack_ref, .. }
            | Self::PackSigned { pack_ref, .. }
            | Self::PackPublished { pack_ref, .. }
            | Self::PackRegressionAccepted { pack_ref, .. }
            | Self::PackRechecked { pack_ref, .. }
            | Self::PackDeprecated { pack_ref, .. }
            | Self::PackRevoked { pack_ref, .. } => vec![format!("pack:{pack_ref}")],
            Self::PackObserved { pack_ref, environment: None, .. } => vec![format!("pack:{pack_ref}")],
            Self::PackPinned { pack_ref, environment, .. }
            | Self::PackUnpinned { pack_ref, environment, .. }
            | Self::PackObserved { pack_ref, environment: Some(environment), .. }
            | Self::PackPromoted { pack_ref, environment, .. } => {
                vec![format!("pack:{pack_ref}"), format!("environment:{environment}:{}", pack_ref.pack_id)]
            }
        }
    }

    /// Returns the event's name in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Self::KeyTrusted { .. } => "key_trusted",
            Self::KeyRevoked { .. } => "key_revoked",
            Self::RegistryPolicySet { .. } => "registry_policy_set",
            Self::EndpointSet { .. } => "endpoint_set",
            Self::EndpointRemoved { .. } => "endpoint_removed",
            Self::PackLinted { .. } => "pack_linted",
            Self::PackReviewed { .. } => "pack_reviewed",
            Self::PackSigned { .. } => "pack_signed",
            Self::PackPublished { .. } => "pack_published",
            Self::PackPinned { .. } => "pack_pinned",
            Self::PackUnpinned { .. } => "pack_unpinned",
            Self::PackObserved { .. } => "pack_observed",
            Self::PackPromoted { .. } => "pack_promoted",
            Self::PackRegressionAccepted { .. } => "pack_regression_accepted",
            Self::PackRechecked { .. } => "pack_rechecked",
            Self::ArchiveNamed { .. } => "archive_named",
            Self::ArchiveForgotten { .. } => "archive_forgotten",
            Self::ProfilePublished { .. } => "profile_published",
            Self::ProfileBound { .. } => "profile_bound",
            Self::ProfileUnbound { .. } => "profile_unbound",
            Self::ProfileDeprecated { .. } => "profile_deprecated",
            Self::ProfileRevoked { .. } => "profile_revoked",
            Self::ObjectPublished { .. } => "object_published",
            Self::ObjectDeprecated { .. } => "object_deprecated",
            Self::ObjectRevoked { .. } => "object_revoked",
            Self::PackDeprecated { .. } => "pack_deprecated",
            Self::PackRevoked { .. } => "pack_revoked",
        }
    }
}
