//! Adapters with their capabilities, and the permissions that expose them.

use super::policy::ArgConstraint;
use crate::{ApprovalMode, Classification};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The inventory of tools, and the permissions that expose them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ToolingLayer {
    /// The inventory.
    pub adapter_registry: Vec<Adapter>,
    /// The permissions.
    pub permissions: Vec<Permission>,
}

/// A service that tools are called through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Adapter {
    /// Unique id of the adapter.
    #[schemars(length(min = 1))]
    pub adapter_id: String,
    /// The protocol.
    #[serde(rename = "type")]
    pub adapter_type: AdapterType,
    /// A registry reference such as `internal://orders`; never a URL with credentials.
    pub endpoint_ref: String,
    /// Its capabilities: names, or objects with their own mode and schema.
    pub capabilities: Vec<Capability>,
    /// The highest mode that any of its capabilities may have.
    pub approval_mode: ApprovalMode,
    /// The highest classification of data that the service may receive; a pack or run above it does not surface it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_classification: Option<Classification>,
    /// The schema of its calls, if all capabilities share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_ref: Option<String>,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The protocol of an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum AdapterType {
    /// An HTTP API described by OpenAPI.
    OpenApi,
    /// Inside the runtime.
    Internal,
    /// A Model Context Protocol server.
    Mcp,
    /// Another agent.
    A2a,
}

impl AdapterType {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::OpenApi, Self::Internal, Self::Mcp, Self::A2a];

    /// Returns the protocol's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenApi => "OPENAPI",
            Self::Internal => "INTERNAL",
            Self::Mcp => "MCP",
            Self::A2a => "A2A",
        }
    }
}

impl fmt::Display for AdapterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A capability of an adapter.
#[derive(Debug, Clone, PartialEq)]
pub enum Capability {
    /// A name; its mode is the adapter's.
    Name(String),
    /// An object.
    Spec(CapabilitySpec),
}

/// A capability with its own mode and schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CapabilityObject", deny_unknown_fields)]
pub struct CapabilitySpec {
    /// Name of the capability, unique within its adapter.
    #[schemars(length(min = 1))]
    pub id: String,
    /// Its mode; at most the adapter's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalMode>,
    /// Schema of its calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_ref: Option<String>,
    /// The kind of capability, such as `query` or `command`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The risk level, in the pack's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_level: Option<String>,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl Capability {
    /// Returns the capability's name.
    pub fn id(&self) -> &str {
        match self {
            Self::Name(id) => id,
            Self::Spec(spec) => &spec.id,
        }
    }

    /// Returns the declared mode: its own, or else the adapter's.
    pub fn declared_mode(&self, adapter: &Adapter) -> ApprovalMode {
        match self {
            Self::Name(_) => adapter.approval_mode,
            Self::Spec(spec) => spec.approval_mode.unwrap_or(adapter.approval_mode),
        }
    }
}

impl Serialize for Capability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Name(name) => serializer.serialize_str(name),
            Self::Spec(spec) => spec.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Capability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Capability;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name or an object with `id`")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Capability, E> {
                Ok(Capability::Name(name.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Capability, A::Error> {
                CapabilitySpec::deserialize(de::value::MapAccessDeserializer::new(map)).map(Capability::Spec)
            }
        }
        deserializer.deserialize_any(Form)
    }
}

impl JsonSchema for Capability {
    fn schema_name() -> Cow<'static, str> {
        "Capability".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = generator.subschema_for::<CapabilitySpec>();
        json_schema!({
            "description": "A capability by name, or as an object with its own mode and schema.",
            "anyOf": [{ "type": "string", "minLength": 1 }, object]
        })
    }
}

/// A permission: exposes or withholds one capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Permission {
    /// Unique id of the permission.
    #[schemars(length(min = 1))]
    pub permission_id: String,
    /// The adapter.
    pub adapter_id: String,
    /// The capability.
    pub capability: String,
    /// False withholds the capability; of two permissions that disagree, the one that withholds wins.
    pub allow: bool,
    /// The approval gate that a call needs while it is active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_approval_gate: Option<String>,
    /// Bounds on the call's arguments.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arg_constraints: BTreeMap<String, ArgConstraint>,
    /// The rationale; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}
