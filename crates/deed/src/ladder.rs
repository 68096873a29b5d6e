//! Corrects payloads, with a reversible record of every change.
//!
//! ```
//! use deed::ladder::{Input, Ladder, LadderContract, LadderOutcome, Phase, Proposals, climb, undo};
//! use serde_json::json;
//!
//! let contract: LadderContract = serde_json::from_value(json!({
//!     "contract": "order",
//!     "schema": { "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] },
//! }))?;
//! let ladder = Ladder::new(contract).expect("the contract is valid");
//! // As a model writes it: prose around it, single quotes, a trailing comma.
//! let text = "Here you are: {'id': 7,}";
//! let climbed = climb(&ladder, Input::Text(text), Phase::StepOutput, &Proposals::default());
//! assert_eq!(climbed.report.outcome, LadderOutcome::Accepted);
//! let payload = climbed.payload.expect("an accepted climb has a payload");
//! assert_eq!(payload, json!({ "id": 7 }));
//! assert_eq!(undo(&climbed.report, &payload)?, json!(text));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! [`Ladder::new`] returns every fault of a contract. A climb does not fail: its report says whether the payload was
//! accepted or rejected, and why. [`undo`] refuses a payload that is not the one of its report.

pub use deed_ladder::{Climbed, ContractFault, Input, Ladder, Proposer, ReplayError, climb, redo, undo};
pub use deed_model::{LadderContract, LadderOutcome, LadderReport, Phase, Proposals};
