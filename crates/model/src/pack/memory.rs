//! The memory layer: lifetimes, and rules for write-back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Recall and write-back rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MemoryLayer {
    /// Lifetimes, write classes and consent.
    pub memory_policy: MemoryPolicy,
    /// Thresholds for promotion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion_thresholds: Option<PromotionThresholds>,
    /// Limits on recall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_policy: Option<RecallPolicy>,
}

/// Lifetimes, write classes and consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MemoryPolicy {
    /// The lifetime of each tier, such as `1h` or `365d`.
    pub tier_ttls: TierTtls,
    /// Classes that may be proposed for writing.
    #[serde(default)]
    pub write_classes_allowed: Vec<String>,
    /// Consent requirements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent_gating: Option<ConsentGating>,
    /// The scope in which a memory is shared; the tenant by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<MemoryScope>,
}

/// The lifetime of each tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TierTtls {
    /// Within a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working: Option<String>,
    /// Across recent tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episodic: Option<String>,
    /// Facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic: Option<String>,
    /// Facts that are kept for years.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub durable: Option<String>,
}

impl TierTtls {
    /// Returns the tiers in order of lifetime, with the values that are set.
    pub fn tiers(&self) -> [(&'static str, Option<&str>); 4] {
        [
            ("working", self.working.as_deref()),
            ("episodic", self.episodic.as_deref()),
            ("semantic", self.semantic.as_deref()),
            ("durable", self.durable.as_deref()),
        ]
    }
}

/// The scope in which a memory is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// One subject of one tenant.
    Subject,
    /// One tenant.
    Tenant,
    /// All tenants; refused by the tenancy gate.
    Global,
}

/// Consent requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ConsentGating {
    /// True if personal data may be written back.
    pub pii_write_back_allowed: bool,
}

/// Thresholds for promotion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PromotionThresholds {
    /// The confidence from which no person is asked.
    #[schemars(range(min = 0, max = 1))]
    pub auto_promote_confidence: f64,
}

/// Limits on recall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RecallPolicy {
    /// The maximum number of memories for one intent; 8 by default.
    pub max_per_intent: u64,
}
