//! The rule data, split by field. A new key format is one entry in one of these files.

mod ai;
mod automation;
mod cloud;
mod code_hosting;
mod databases;
mod generic;
mod identity;
mod key_material;
mod messaging;
mod monitoring;
mod payments;
mod services;

#[cfg(test)]
mod tests;

use super::rule::Rule;

/// Every rule, field by field.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [
        ai::RULES,
        automation::RULES,
        cloud::RULES,
        code_hosting::RULES,
        databases::RULES,
        identity::RULES,
        key_material::RULES,
        messaging::RULES,
        monitoring::RULES,
        payments::RULES,
        services::RULES,
        generic::RULES,
    ]
    .into_iter()
    .flatten()
}
