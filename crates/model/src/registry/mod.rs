//! Records of the registry: events, statements, trust.

mod event;
mod statement;
mod trust;

pub use event::{AuditEvent, OverlayRecord, PackUse, RegistryEvent};
pub use statement::{PackReview, PackSignature, SignedOverlay};
pub use trust::{KeyStatus, TrustStore, TrustedKey};
