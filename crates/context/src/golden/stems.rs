//! Names of cases: messages name a case by the stem of its file, so two must not share one.

use deed_diag::codes;
use deed_diag::{Diagnostic, Document, quote};
use std::collections::BTreeMap;

/// Returns a warning for each file whose stem is already taken.
pub(super) fn repeated(documents: &[Document]) -> Vec<Diagnostic> {
    let mut first: BTreeMap<&str, &Document> = BTreeMap::new();
    let mut found = Vec::new();
    for document in documents {
        let stem = stem(document.source().name());
        match first.get(stem) {
            None => {
                first.insert(stem, document);
            }
            Some(other) => found.push(
                Diagnostic::warning(codes::GOLDEN_CASE_WEAK, format!("two golden cases are named {}", quote(stem)))
                    .at(document.place(""))
                    .related(other.place(""), "the other one")
                    .help("rename one of the files"),
            ),
        }
    }
    found
}

/// Returns the name of a file without its folders and its extension.
pub(super) fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn folders_and_extension_do_not_count() {
        for name in ["01_deny.yaml", "golden/01_deny.json", "a.b/golden/01_deny.yml", "c\\01_deny.yaml", "01_deny"] {
            assert_eq!(stem(name), "01_deny", "{name}");
        }
    }
}
