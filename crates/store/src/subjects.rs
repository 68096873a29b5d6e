//! The subjects by which events are found, and their queries over the events' own text.

use crate::schema::{ENVIRONMENT, IS_PIN, KEY, KIND, NAME, PACK_ID, PACK_REF, REPLACED_KEY, TENANT};
use deed_model::RegistryEvent;
use deed_pack::EnvironmentKey;

/// The kinds of the events about profiles and what they name.
const PROFILE_KINDS: &str = "'profile_published', 'profile_bound', 'profile_unbound', 'profile_deprecated', \
                             'profile_revoked', 'object_published', 'object_deprecated', 'object_revoked'";

/// The subject of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// `pack:<pack_ref>`: everything that happened to a version.
    Pack(String),
    /// `version:<pack_ref>`: the same without its pins. A version that was pinned a thousand times has a
    /// thousand events; its state is in the few that are not pins, and a load reads only those.
    Version(String),
    /// `environment:<environment>:<pack_id>`: the events of every tenant's environment of that name.
    Environment {
        /// The environment's name.
        environment: String,
        /// The pack.
        pack_id: String,
    },
    /// Pins, their ends, uses and promotions in one tenant's environment.
    Pins(EnvironmentKey),
    /// `key:<key_id>`: everything that changed a key's standing.
    Key(String),
    /// Everything that changed any key's standing.
    Keys,
    /// `archive:<name>`: everything about one archive. There are few, and they are found without an index.
    Archive(String),
    /// Everything about any archive.
    Archives,
    /// `policy`: everything that set the registry's policy. There are few, and they are found without an index.
    Policy,
    /// `profiles`: everything about profiles, prompts and validation packs. Found without an index, too.
    Profiles,
    /// `endpoints`: everything that set or removed an entry of the endpoint registry. Found without an index, too.
    Endpoints,
}

impl Subject {
    /// Parses a subject; `None` if no event can have it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "policy" {
            return Some(Self::Policy);
        }
        if text == "profiles" {
            return Some(Self::Profiles);
        }
        if text == "endpoints" {
            return Some(Self::Endpoints);
        }
        match text.split_once(':')? {
            ("pack", pack_ref) => Some(Self::Pack(pack_ref.to_owned())),
            ("version", pack_ref) => Some(Self::Version(pack_ref.to_owned())),
            ("archive", name) => Some(Self::Archive(name.to_owned())),
            ("key", key_id) => Some(Self::Key(key_id.to_owned())),
            ("environment", rest) => {
                // The id of a pack has no colon.
                let (environment, pack_id) = rest.rsplit_once(':')?;
                Some(Self::Environment { environment: environment.to_owned(), pack_id: pack_id.to_owned() })
            }
            _ => None,
        }
    }

    /// The index and the condition of the query.
    pub(crate) fn condition(&self) -> String {
        match self {
            Self::Pack(_) => format!("e INDEXED BY events_by_pack WHERE {PACK_REF}=?1"),
            Self::Version(_) => format!("e INDEXED BY events_by_pack WHERE {PACK_REF}=?1 AND {IS_PIN}=0"),
            Self::Environment { .. } => {
                format!("e INDEXED BY events_by_environment WHERE {ENVIRONMENT}=?1 AND {PACK_ID}=?2")
            }
            Self::Pins(_) => {
                format!("e INDEXED BY events_by_environment WHERE {ENVIRONMENT}=?1 AND {PACK_ID}=?2 AND {TENANT}=?3")
            }
            Self::Key(_) => format!(
                "e WHERE seq IN (SELECT seq FROM events INDEXED BY events_by_key WHERE {KEY}=?1
                 UNION SELECT seq FROM events INDEXED BY events_by_replaced_key WHERE {REPLACED_KEY}=?1)"
            ),
            Self::Keys => format!("e INDEXED BY events_by_key WHERE {KEY} IS NOT NULL"),
            Self::Archive(_) => format!("e WHERE {KIND} IN ('archive_named','archive_forgotten') AND {NAME}=?1"),
            Self::Archives => format!("e WHERE {KIND} IN ('archive_named','archive_forgotten')"),
            Self::Policy => format!("e WHERE {KIND}='registry_policy_set'"),
            Self::Profiles => format!("e WHERE {KIND} IN ({PROFILE_KINDS})"),
            Self::Endpoints => format!("e WHERE {KIND} IN ('endpoint_set', 'endpoint_removed')"),
        }
    }

    /// The values of the condition's parameters, in order.
    pub(crate) fn values(&self) -> Vec<&str> {
        match self {
            Self::Pack(one) | Self::Version(one) | Self::Key(one) | Self::Archive(one) => vec![one],
            Self::Environment { environment, pack_id } => vec![environment, pack_id],
            Self::Pins(key) => vec![&key.environment, &key.pack_id, &key.tenant_id],
            Self::Keys | Self::Archives | Self::Policy | Self::Profiles | Self::Endpoints => Vec::new(),
        }
    }

    /// Returns whether an event has this subject, by the event's own fields.
    pub(crate) fn concerns(&self, event: &RegistryEvent) -> bool {
        let subjects = event.subjects();
        let named = |subject: String| subjects.contains(&subject);
        match self {
            Self::Pack(pack_ref) => named(format!("pack:{pack_ref}")),
            Self::Version(pack_ref) => named(format!("pack:{pack_ref}")) && !is_pin(event),
            Self::Environment { environment, pack_id } => named(format!("environment:{environment}:{pack_id}")),
            Self::Pins(EnvironmentKey { tenant_id, environment, pack_id }) => {
                named(format!("environment:{environment}:{pack_id}")) && tenant_of(event) == Some(tenant_id)
            }
            Self::Key(key_id) => named(format!("key:{key_id}")),
            Self::Keys => subjects.iter().any(|s| s.starts_with("key:")),
            Self::Archive(name) => named(format!("archive:{name}")),
            Self::Archives => subjects.iter().any(|s| s.starts_with("archive:")),
            Self::Policy => named("policy".to_owned()),
            Self::Profiles => {
                let kinds = ["profile:", "prompt:", "valpack:"];
                subjects.iter().any(|s| kinds.iter().any(|kind| s.starts_with(kind)))
            }
            Self::Endpoints => subjects.iter().any(|s| s.starts_with("endpoint:")),
        }
    }
}

fn is_pin(event: &RegistryEvent) -> bool {
    matches!(event, RegistryEvent::PackPinned { .. })
}

/// The tenant whose environment an event is about; `None` if it is about none.
fn tenant_of(event: &RegistryEvent) -> Option<&String> {
    match event {
        RegistryEvent::PackPinned { tenant_id, .. }
        | RegistryEvent::PackUnpinned { tenant_id, .. }
        | RegistryEvent::PackObserved { tenant_id, environment: Some(_), .. }
        | RegistryEvent::PackPromoted { tenant_id, .. } => Some(tenant_id),
        RegistryEvent::PackObserved { environment: None, .. } => None,
        RegistryEvent::KeyTrusted { .. }
        | RegistryEvent::KeyRevoked { .. }
        | RegistryEvent::RegistryPolicySet { .. }
        | RegistryEvent::EndpointSet { .. }
        | RegistryEvent::EndpointRemoved { .. }
        | RegistryEvent::PackLinted { .. }
        | RegistryEvent::PackReviewed { .. }
        | RegistryEvent::PackSigned { .. }
        | RegistryEvent::PackPublished { .. }
        | RegistryEvent::PackRegressionAccepted { .. }
        | RegistryEvent::PackRechecked { .. }
        | RegistryEvent::ArchiveNamed { .. }
        | RegistryEvent::ArchiveForgotten { .. }
        | RegistryEvent::ProfilePublished { .. }
        | RegistryEvent::ProfileUnbound { .. }
        | RegistryEvent::ProfileDeprecated { .. }
        | RegistryEvent::ProfileRevoked { .. }
        | RegistryEvent::ObjectPublished { .. }
        | RegistryEvent::ObjectDeprecated { .. }
        | RegistryEvent::ObjectRevoked { .. }
        | RegistryEvent::ProfileBound { .. }
        | RegistryEvent::PackDeprecated { .. }
        | RegistryEvent::PackRevoked { .. } => None,
    }
}
