//! The kinds that a file name speaks for.

use crate::catalog::Catalog;
use deed_model::{Kind, KindKey};

/// The kinds whose extension a path ends with; of these, those with the longest one, sorted by name.
pub fn kinds_of_path<'c>(catalog: &'c Catalog, path: &str) -> Vec<&'c Kind> {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let fits = |extension: &str| {
        name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')).is_some_and(|stem| !stem.is_empty())
    };
    let mut best = 0;
    let mut found = Vec::new();
    for kind in catalog.kinds() {
        let longest = kind.extensions.iter().filter(|extension| fits(extension)).map(String::len).max().unwrap_or(0);
        if longest == 0 || longest < best {
            continue;
        }
        if longest > best {
            best = longest;
            found.clear();
        }
        found.push(kind);
    }
    found
}

/// The one kind that a path and a list of possible kinds leave.
pub fn kind_of_path(catalog: &Catalog, path: &str, possible: &[KindKey]) -> Option<KindKey> {
    let all = kinds_of_path(catalog, path);
    let mut fitting = all.iter().filter(|kind| possible.is_empty() || possible.contains(&kind.kind_key));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(only.kind_key.clone()),
        _ => None,
    }
}
