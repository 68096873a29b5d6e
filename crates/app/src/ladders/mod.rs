//! Ladders: contracts, payloads that climb them, records of climbs, and documents in other vocabularies.

mod climb;
mod contract;
mod map;
mod record;
mod schema;
mod undo;

pub use climb::{ClimbedPayload, Climber};
pub use contract::load;
pub use map::{MapRequest, MappedDocument, map};
pub use record::LARGEST as LARGEST_RECORD;
pub use undo::{Direction, RestoredPayload, UndoRequest, undo};
