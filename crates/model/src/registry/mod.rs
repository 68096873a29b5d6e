//! Records of the registry: events, statements, trust.

mod endpoint;
mod event;
mod export;
mod object;
mod policy;
mod profile;
mod release;
mod statement;
mod trust;

pub use endpoint::{Endpoint, EndpointApi};
pub use event::{AuditEvent, GoldenRecord, OverlayRecord, PackUse, RegistryEvent};
pub use export::PackExport;
pub use object::{NamedObject, ObjectKind, ObjectRef, ObjectSignature};
pub use policy::{RegistryPolicy, SelfReview};
pub use profile::{ProfileScope, ProfileSignature, PublishedPrompt};
pub use release::{ArchiveKind, RecheckTrigger, RegressionMetric};
pub use statement::{PackEnd, PackEnding, PackReview, PackSignature, SignedGolden, SignedOverlay};
pub use trust::{KeyStatus, TrustStore, TrustedKey};
