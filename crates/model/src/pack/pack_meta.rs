//! Pack identity, tenant, environment defaults, cache lifetime and classification.

use crate::Classification;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The deployable identity of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PackMeta {
    /// Stable id: lowercase letters, digits, `.`, `_` and `-`, beginning with a letter.
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$"), length(max = 200))]
    pub pack_id: String,
    /// Version of the pack: three numbers, no prerelease.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub pack_version: String,
    /// The tenant that owns the pack.
    pub tenant: Tenant,
    /// Defaults that overlays may set for an environment.
    pub environment_defaults: EnvironmentDefaults,
    /// How long a cached copy is fresh, in seconds; the version itself never changes.
    #[schemars(range(min = 1))]
    pub ttl_seconds: u64,
    /// The classification of the data that the pack handles.
    pub data_classification: Classification,
    /// Free tags beside the classification, such as `PII`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_tags: Vec<String>,
    /// True if other tenants may pin the pack too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shared: bool,
    /// Overlays in the order of application, each `<pack_id>.<name>@x.y.z`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<String>,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The tenant that owns a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Tenant {
    /// Stable id of the tenant.
    pub tenant_id: String,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Defaults that overlays may set for an environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EnvironmentDefaults {
    /// Language tag, such as `en` or `en-IN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Locale tag, if it differs from the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// IANA time zone, such as `Asia/Kolkata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// ISO 4217 currency code, such as `INR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Deployment region, such as `ap-south-1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
}

impl EnvironmentDefaults {
    /// The keys that an overlay may set.
    pub const KEYS: [&'static str; 5] = ["language", "locale", "timezone", "currency", "region"];
}
