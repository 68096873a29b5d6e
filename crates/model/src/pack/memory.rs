//! How long memory lives and what may be written back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Recall and write-back rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MemoryLayer {
    /// Lifetimes, write classes and consent.
    pub memory_policy: MemoryPolicy,
    /// When a candidate becomes memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion_thresholds: Option<PromotionThresholds>,
    /// How much is recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_policy: Option<RecallPolicy>,
}

/// Lifetimes, write classes and consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MemoryPolicy {
    /// How long each tier lives, such as `1h` or `365d`.
    pub tier_ttls: TierTtls,
    /// What may be proposed for writing.
    #[serde(default)]
    pub write_classes_allowed: Vec<String>,
    /// What needs consent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent_gating: Option<ConsentGating>,
    /// Who shares a memory; the tenant where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<MemoryScope>,
}

/// How long each tier lives.
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
    /// The tiers in order of lifetime, with what was given.
    pub fn tiers(&self) -> [(&'static str, Option<&str>); 4] {
        [
            ("working", self.working.as_deref()),
            ("episodic", self.episodic.as_deref()),
            ("semantic", self.semantic.as_deref()),
            ("durable", self.durable.as_deref()),
        ]
    }
}

/// Who shares a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// One subject of one tenant.
    Subject,
    /// One tenant.
    Tenant,
    /// Everybody; refused by the tenancy gate.
    Global,
}

/// What needs consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ConsentGating {
    /// True where personal data may be written back.
    pub pii_write_back_allowed: bool,
}

/// When a candidate becomes memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PromotionThresholds {
    /// Confidence from which no person is asked.
    #[schemars(range(min = 0, max = 1))]
    pub auto_promote_confidence: f64,
}

/// How much is recalled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RecallPolicy {
    /// At most this many memories for one intent; 8 where the pack does not say.
    pub max_per_intent: u64,
}
