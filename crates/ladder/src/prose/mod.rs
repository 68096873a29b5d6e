//! The prose around a payload: sentences that give a key a value, and sentences that say that the payload is not the
//! answer.

mod claims;
mod closings;
mod governing;
mod lists;
mod noun_lead;
mod omission;
mod pattern;
mod remark;
mod values;

pub(crate) use claims::{is_doubtful, is_turning};
pub(crate) use governing::{Disowned, Surroundings, announces_correction, disowned};
pub(crate) use remark::{Remark, remark};
pub(crate) use values::{
    counts_another, decides_otherwise, is_given, mentions, says_opposite, sentences, writes_another, writes_value_of,
};
