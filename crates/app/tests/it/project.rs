//! A folder for the files of a test, with a session.

use deed_app::{AppError, FOLDER, Home, Session};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) struct Project {
    folder: TempDir,
    pub(crate) session: Session,
}

impl Project {
    /// A folder with a home.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join(FOLDER);
        Home::init(&home, "tenant_acme_prod").unwrap();
        let session =
            Session { home: Some(home), actor: Some("ada".to_owned()), now: Some("2026-11-15T00:00:00Z".to_owned()) };
        Self { folder, session }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn home(&self) -> Home {
        self.session.home().unwrap()
    }
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The codes of an error.
pub(crate) fn codes<T>(result: Result<T, AppError>) -> Vec<String> {
    let Err(error) = result else { panic!("an error is expected") };
    error.report.diagnostics().iter().map(|found| found.code.to_string()).collect()
}
