//! Where shared material lies that a user's clone does not have.

use std::path::PathBuf;

/// A file or folder beside the repository, or `None` with a message where it is absent.
///
/// `DEED_CORPUS` names the corpus folder; the seeds lie beside it.
pub(crate) fn shared(relative: &str) -> Option<PathBuf> {
    let corpus = std::env::var_os("DEED_CORPUS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    let path = corpus.parent()?.join(relative);
    if !path.exists() {
        println!("skipped: {} is absent", path.display());
        return None;
    }
    Some(path)
}
