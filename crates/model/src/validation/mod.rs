//! Validation packs, and the records of what they found in a run.

mod pack;
mod receipt;
mod record;

pub use pack::{ArtifactCheck, BeyondLimit, ReadAs, SchemaSource, ValidationPack, ValidationRule};
pub use receipt::{ValidationReceipt, ValidationStage};
pub use record::{
    AskedCorrector, CorrectionRecord, CorrectorFault, ValidationFinding, ValidationRecord, ValidationVerdict,
};
