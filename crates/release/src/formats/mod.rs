//! The report in the formats that pipelines read.

mod junit;
mod sarif;

pub use junit::junit;
pub use sarif::sarif;
