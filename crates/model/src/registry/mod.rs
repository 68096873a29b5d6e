//! Records of the registry: events, statements, trust.

mod event;
mod policy;
mod statement;
mod trust;

pub use event::{AuditEvent, GoldenRecord, OverlayRecord, PackUse, RegistryEvent};
pub use policy::{RegistryPolicy, SelfReview};
pub use statement::{PackReview, PackSignature, SignedGolden, SignedOverlay};
pub use trust::{KeyStatus, TrustStore, TrustedKey};
