//! Paths of fields: JSON pointers in which `*` stands for every item of a list.

use crate::excerpt::excerpt;
use crate::naming::same_but_style;
use crate::place::Step;
use deed_canon::Pointer;

/// The names of what a field stands in, as one name.
pub(super) fn above(path: &str) -> String {
    let names: Vec<String> = path.split('/').skip(1).filter(|segment| *segment != ITEM).map(key_of).collect();
    names.split_last().map(|(_, above)| above.join("_")).unwrap_or_default()
}

/// Whether a name says what it is without what it stands in: a long one, or a short one that means one thing anywhere.
pub(super) fn is_telling(name: &str) -> bool {
    name.len() > 4 || ["zip", "city", "iban", "bic", "isin", "vat", "fax"].iter().any(|word| same_but_style(name, word))
}

/// The names on the way to a field, as one name.
pub(super) fn words(path: &str) -> String {
    let names: Vec<String> = path.split('/').skip(1).filter(|segment| *segment != ITEM).map(key_of).collect();
    // The last two say what a field is; more would drown them.
    names.iter().skip(names.len().saturating_sub(2)).cloned().collect::<Vec<_>>().join("_")
}

pub(super) fn last(path: &str) -> String {
    path.rsplit('/').find(|segment| *segment != ITEM).map(key_of).unwrap_or_default()
}

/// The segment that stands for every item of a list.
pub(super) const ITEM: &str = "*";
/// How a key of that name is written.
pub(super) const STAR: &str = "~*";

pub(super) fn push_key(path: &str, key: &str) -> String {
    if key == ITEM { format!("{path}/{STAR}") } else { Pointer::push(path, key) }
}

pub(super) fn key_of(segment: &str) -> String {
    if segment == STAR { ITEM.to_owned() } else { Pointer::unescape(segment) }
}

pub(super) fn steps(path: &str) -> Vec<Step> {
    let step = |segment: &str| if segment == ITEM { Step::Any } else { Step::Named(key_of(segment)) };
    path.split('/').skip(1).map(step).collect()
}

/// The lists on the way to a field.
pub(super) fn lists_above(path: &str) -> impl Iterator<Item = &str> {
    let is_item = |(at, _): &(usize, &str)| {
        let rest = excerpt(path, at + 1..);
        rest == ITEM || rest.starts_with("*/")
    };
    path.match_indices('/').filter(is_item).filter_map(|(end, _)| path.get(..end))
}
