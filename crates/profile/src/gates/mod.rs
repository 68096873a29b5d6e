//! The gates of a profile, one file for each.

mod budgets;
mod consumers;
mod egress;
mod endpoints;
pub(crate) mod models;
mod parameters;
mod pins;
mod prices;
mod prompts;
mod schema;
mod security;
mod skills;
mod timeouts;
mod validation;

use crate::document::ProfileFile;
use crate::objects::Objects;
use deed_diag::Diagnostic;
use deed_model::{BindingSlot, ConsumerBinding, ExecutionProfile};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// What a profile is judged by besides itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProfileFacts<'a> {
    /// The models that have a price, as bindings name them; none if the caller has no price table.
    pub priced: Option<&'a BTreeSet<String>>,
    /// The documents besides those that ship and its own; none if the caller does not know them, and the packs that phases
    /// name are not looked up.
    pub objects: Option<Objects<'a>>,
}

/// A gate of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileGate {
    /// The shape of the document.
    Schema,
    /// Secrets.
    Security,
    /// Consumers.
    Consumers,
    /// Models and providers.
    Models,
    /// Parameters that providers take.
    Parameters,
    /// Prompts and their variables.
    Prompts,
    /// Timeouts.
    Timeouts,
    /// Budgets.
    Budgets,
    /// Prices of the bound models.
    Prices,
    /// Skills.
    Skills,
    /// Validation packs.
    Validation,
    /// The Context Pack.
    Pins,
    /// Egress rules.
    Egress,
}

impl ProfileGate {
    /// All gates, in the order in which they run.
    pub const ALL: [Self; 13] = [
        Self::Schema,
        Self::Security,
        Self::Consumers,
        Self::Models,
        Self::Parameters,
        Self::Prompts,
        Self::Timeouts,
        Self::Budgets,
        Self::Prices,
        Self::Skills,
        Self::Validation,
        Self::Pins,
        Self::Egress,
    ];

    /// Returns the gate's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Security => "security",
            Self::Consumers => "consumers",
            Self::Models => "models",
            Self::Parameters => "parameters",
            Self::Prompts => "prompts",
            Self::Timeouts => "timeouts",
            Self::Budgets => "budgets",
            Self::Prices => "prices",
            Self::Skills => "skills",
            Self::Validation => "validation",
            Self::Pins => "pins",
            Self::Egress => "egress",
        }
    }
}

/// What a gate reads.
pub(crate) struct GateInput<'a> {
    pub(crate) file: &'a ProfileFile,
    pub(crate) profile: &'a ExecutionProfile,
    pub(crate) facts: &'a ProfileFacts<'a>,
}

pub(crate) use prompts::text as prompt_text;

impl<'a> GateInput<'a> {
    /// Returns every binding of the profile with its place and its slot; the default binding has none.
    fn bindings(&self) -> Vec<PlacedBinding<'a>> {
        let profile = self.profile;
        let default =
            PlacedBinding { slot: None, binding: &profile.default_binding, pointer: "/default_binding".to_owned() };
        let bound = BindingSlot::all().into_iter().filter_map(|slot| {
            let (binding, pointer) = crate::chain::bound(profile, slot)?;
            Some(PlacedBinding { slot: Some(slot), binding, pointer })
        });
        std::iter::once(default).chain(bound).collect()
    }
}

/// A binding with its place.
struct PlacedBinding<'a> {
    slot: Option<BindingSlot>,
    binding: &'a ConsumerBinding,
    pointer: String,
}

/// Returns a gate's findings, or none if it needs the typed profile and there is none.
pub(crate) fn run(gate: ProfileGate, file: &ProfileFile, facts: &ProfileFacts<'_>) -> Option<Vec<Diagnostic>> {
    let input = file.profile().map(|profile| GateInput { file, profile, facts });
    match gate {
        ProfileGate::Schema => Some(schema::check(file)),
        ProfileGate::Security => Some(security::check(file)),
        ProfileGate::Consumers => input.as_ref().map(consumers::run),
        ProfileGate::Models => input.as_ref().map(models::run),
        ProfileGate::Parameters => input.as_ref().map(parameters::run),
        ProfileGate::Prompts => input.as_ref().map(prompts::run),
        ProfileGate::Timeouts => input.as_ref().map(timeouts::run),
        ProfileGate::Budgets => input.as_ref().map(budgets::run),
        ProfileGate::Prices => input.as_ref().map(prices::run),
        ProfileGate::Skills => input.as_ref().map(skills::run),
        ProfileGate::Validation => input.as_ref().map(validation::run),
        ProfileGate::Pins => input.as_ref().map(pins::run),
        ProfileGate::Egress => input.as_ref().map(egress::run),
    }
}
