//! Rules that no valid payload can be touched by.

use super::ContractFault;
use super::room::no_room;
use crate::place::{Place, Step, push};
use deed_diag::{codes, did_you_mean, quote};
use deed_model::LadderContract;
use serde_json::Value;
use std::collections::HashSet;

/// Keys that a help lists.
const MOST_LISTED: usize = 12;

/// Rules for places that the schema has no room for.
pub(super) fn remarks(contract: &LadderContract, schema: &Value) -> Vec<ContractFault> {
    let mut places: Vec<(String, Option<Place>)> = Vec::new();
    for (index, synonym) in contract.synonyms.iter().enumerate() {
        let place = match Place::read(&synonym.at) {
            Some(Place::Path(mut steps)) => {
                steps.push(Step::Named(synonym.to.clone()));
                Some(Place::Path(steps))
            }
            _ => None,
        };
        places.push((format!("/synonyms/{index}/to"), place));
    }
    let defaults = contract.defaults.values.iter().map(|default| &default.at).enumerate();
    places.extend(defaults.map(|(index, at)| (format!("/defaults/values/{index}/at"), Place::read(at))));
    let transforms = contract.transforms.iter().map(|transform| &transform.at).enumerate();
    places.extend(transforms.map(|(index, at)| (format!("/transforms/{index}/at"), Place::read(at))));
    let allowed = contract.allowed_keys.iter().map(|allowed| &allowed.at).enumerate();
    places.extend(allowed.map(|(index, at)| (format!("/allowed_keys/{index}/at"), Place::read(at))));
    // A name that is still to be put right stands where the schema has no room for it.
    let old: HashSet<&String> = contract.synonyms.iter().flat_map(|synonym| &synonym.from).collect();
    let mut found = Vec::new();
    for (pointer, place) in places {
        let Some(place) = place else { continue };
        let Some(none) = no_room(schema, &place) else { continue };
        let mut above = String::new();
        none.above.iter().for_each(|step| push(&mut above, if let Step::Named(name) = step { name } else { "*" }));
        let above = if above.is_empty() { "the outermost object".to_owned() } else { quote(&above) };
        let (message, help) = match none.step {
            Step::Named(name) if old.contains(name) => continue,
            Step::Named(name) => {
                let listed: Vec<String> = none.known.iter().take(MOST_LISTED).map(|known| quote(known)).collect();
                let all = (!listed.is_empty()).then(|| format!("it has {}", listed.join(", ")));
                let near = did_you_mean(name, none.known.iter().map(String::as_str));
                (format!("the schema has no room for {} in {above}", quote(name)), near.or(all))
            }
            Step::Any => (format!("the schema has no room for anything in {above}"), None),
        };
        found.push(ContractFault { code: codes::RULE_FOR_IMPOSSIBLE_PLACE, pointer, message, help });
    }
    found
}
