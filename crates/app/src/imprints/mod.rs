//! Imprints: schemas as templates, and filled templates as payloads.

mod audit;
mod near;
mod payload;
mod serialized;
mod source;
mod template;

pub use audit::{AuditProgress, AuditedSchemas, Verdicts, audit};
pub use payload::{LoweredPayload, Section, fill, join, lower};
pub use source::{SchemaSource, SourceForm};
pub(crate) use source::{foreign, standalone};
pub use template::{DescribedApi, counter, operations, template};
