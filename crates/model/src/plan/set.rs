//! Sets of outputs: a path whose last part has one `*` names a set of files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The default maximum number of files of a set.
pub const DEFAULT_MOST_FILES: u64 = 1_000;
/// The largest maximum that a plan may set.
pub const MOST_FILES: u64 = 10_000;

/// The allowed number of files of a set of outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteSet {
    /// The path with its `*`, as in the write paths.
    pub path: String,
    /// The minimum number of files.
    pub at_least: u64,
    /// The maximum number of files.
    pub at_most: u64,
}

/// Returns true if a path names a set. No plain path of a workspace has a `*`.
pub fn is_set(path: &str) -> bool {
    path.contains('*')
}

/// Returns true if a set can contain a file. The `*` stands for one or more characters, and never for a `/`.
pub fn in_set(set: &str, path: &str) -> bool {
    let Some((before, after)) = set.split_once('*') else { return false };
    let rest = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}

/// Returns true if a path of a contract, plain or a set, covers a file.
pub fn covers(declared: &str, path: &str) -> bool {
    declared == path || in_set(declared, path)
}

/// Returns the folder that a set lies in.
pub fn folder_of_set(set: &str) -> &str {
    set.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_part_of_one_name() {
        let set = "output/pages/p-*.html";
        for path in ["output/pages/p-1.html", "output/pages/p-a.b.html", "output/pages/p-*.html"] {
            assert!(in_set(set, path), "{path}");
        }
        for path in ["output/pages/p-.html", "output/pages/x-1.html", "output/pages/p-1/2.html", "output/p-1.html", ""]
        {
            assert!(!in_set(set, path), "{path}");
        }
        assert!(!in_set("output/a.json", "output/a.json") && covers("output/a.json", "output/a.json"));
        // The parts before and after the star must not overlap in a name.
        assert!(!in_set("output/aba*aba", "output/ababa"));
    }
}
