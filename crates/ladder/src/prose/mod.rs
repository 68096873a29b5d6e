//! The prose around a payload: sentences that give a key a value, and sentences that say that the payload is not the
//! answer.

mod affirmation;
mod announced;
mod claims;
mod closings;
mod contradiction;
mod governing;
mod lists;
mod noun_lead;
mod omission;
mod pattern;
mod remark;
mod statement;
mod values;

pub(crate) use affirmation::affirms_otherwise;
pub(crate) use announced::{Announced, announced, recounted};
pub(crate) use claims::{is_doubtful, is_of_sentence, is_turning};
pub(crate) use contradiction::{adds_up_to_another, chooses_another, dates_another, fills_gap, numbers_another};
pub(crate) use governing::{Disowned, Surroundings, announces_correction, disowned};
pub(crate) use remark::{Remark, remark};
pub(crate) use values::{
    counts_another, decides_otherwise, is_given, mentions, names_another, says_opposite, sentences, writes_another,
    writes_value_of,
};
