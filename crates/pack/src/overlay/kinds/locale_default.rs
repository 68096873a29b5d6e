//! `locale_default`: another default for language, time zone, currency or region.
//!
//! Predicates may read the defaults. Another default could loosen a rule that reads them, so such a pack accepts no
//! locale overlay.

use super::super::edit::Edit;
use super::super::shown::{shown, shown_value};
use super::super::tighten;
use super::{Refusal, Subject};
use crate::locale;
use crate::pointer::pointer;
use deed_diag::{codes, did_you_mean};
use deed_model::EnvironmentDefaults;
use serde_json::Value;

/// The name of the defaults in predicates.
const ENV: &str = "env";

pub(super) fn prove(subject: &Subject<'_>, key: &str, value: &Value) -> Result<Edit, Refusal> {
    if !EnvironmentDefaults::KEYS.contains(&key) {
        let list: Vec<String> = EnvironmentDefaults::KEYS.iter().map(|k| format!("`{k}`")).collect();
        let near = did_you_mean(key, EnvironmentDefaults::KEYS);
        let help = near.unwrap_or_else(|| format!("the defaults are {}", list.join(", ")));
        return Err(subject.unknown("key", format!("{} is not an environment default", shown(key)), Some(help)));
    }
    let plausible = value.as_str().is_some_and(|text| locale::is_plausible(key, text));
    if !plausible {
        let message = format!("{} is not a plausible {key}", shown_value(value));
        let refusal = subject.refuse(codes::VALUE_OUT_OF_RANGE, "value", message);
        return Err(Box::new(refusal.help(locale::fix(key, value.as_str()))));
    }
    if let Some(reader) = tighten::reader(&subject.state.pack, &[ENV, key]) {
        let message = format!("the predicate at `{reader}` may read `{ENV}.{key}`, so another default could loosen it");
        let help = "set the default in the pack itself, or let the policy read the request instead";
        return Err(Box::new(subject.refuse(codes::LOCALE_READ_BY_POLICY, "key", message).help(help)));
    }
    Ok(Edit {
        pointer: pointer!("pack_meta", "environment_defaults", key),
        after: value.clone(),
        proof: format!("no rule, gate or guardrail reads `{ENV}.{key}`, so no verdict depends on it"),
    })
}
