//! Generalizes paths to folders.

use std::collections::{BTreeMap, BTreeSet};

/// The number of different entries from which on a folder is allowed as a whole.
const MANY: usize = 3;

/// The paths, with those of a folder of many entries replaced by the folder. The root is never such a folder.
pub(super) fn folded(paths: &BTreeSet<&str>) -> Vec<String> {
    let mut entries: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in paths {
        for (folder, entry) in steps(path) {
            entries.entry(folder).or_default().insert(entry);
        }
    }
    let many = |folder: &str| entries.get(folder).is_some_and(|entries| entries.len() >= MANY);
    let fold = |path: &&str| match steps(path).find(|(folder, _)| many(folder)) {
        Some((folder, _)) => format!("{folder}/*"),
        // A star in a path that was asked for would be read as a rule; the folder above it is the nearest that can be said.
        None if path.contains('*') => {
            let plain = path.split('*').next().unwrap_or(path);
            format!("{}/*", plain.rsplit_once('/').map_or("", |(folder, _)| folder))
        }
        None => (*path).to_owned(),
    };
    paths.iter().map(fold).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The folders above a path, the highest first and without the root, each with its entry on the way.
fn steps(path: &str) -> impl Iterator<Item = (&str, &str)> {
    path.match_indices('/').skip(1).filter_map(move |(at, _)| {
        let (folder, rest) = path.split_at_checked(at)?;
        let entry = rest.split('/').nth(1)?;
        Some((folder, entry))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(paths: &[&str], expected: &[&str]) {
        assert_eq!(folded(&paths.iter().copied().collect()), expected);
    }

    #[test]
    fn a_folder_of_three_is_one() {
        check(&["/a/1", "/a/2"], &["/a/1", "/a/2"]);
        check(&["/a/1", "/a/2", "/a/3"], &["/a/*"]);
        check(&["/a/1/x", "/a/1/y", "/a/1/z", "/b"], &["/a/1/*", "/b"]);
        check(&["/a/1/x", "/a/2/y", "/a/3/z", "/b"], &["/a/*", "/b"]);
        check(&["/1", "/2", "/3", "/4"], &["/1", "/2", "/3", "/4"]);
        check(&["/a/x*y"], &["/a/*"]);
        check(&["/"], &["/"]);
    }
}
