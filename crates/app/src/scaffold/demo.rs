//! The demo job: a plan with code, an input and an approval gate, in a project of its own.

use super::{DEFAULT_TENANT, write};
use crate::error::AppError;
use crate::home::{FOLDER, Home};
use crate::session::Session;
use deed_diag::{Diagnostic, Place, codes};
use std::path::{Path, PathBuf};

const FILES: [(&str, &str); 4] = [
    ("plan.yaml", include_str!("demo/plan.yaml")),
    ("steps/check.mjs", include_str!("demo/steps/check.mjs")),
    ("steps/report.mjs", include_str!("demo/steps/report.mjs")),
    ("input/expenses.csv", include_str!("demo/input/expenses.csv")),
];

/// A demo job that was written.
#[derive(Debug, Clone)]
pub struct NewDemo {
    /// Its folder.
    pub folder: PathBuf,
    /// Its files.
    pub files: Vec<PathBuf>,
    /// The home that was made for it; none where the session names one.
    pub home: Option<PathBuf>,
}

/// Writes the demo job into a folder, with a home of its own unless the session names one.
///
/// # Errors
/// The folder is not empty, or cannot be written.
pub fn demo(session: &Session, folder: &Path) -> Result<NewDemo, AppError> {
    let taken = folder.is_file() || folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if taken {
        let diagnostic = Diagnostic::error(codes::ALREADY_EXISTS, "the folder exists and is not empty").stage("new");
        let diagnostic = diagnostic.at(Place::file(folder.display().to_string()));
        return Err(AppError::refused(diagnostic.help("name another folder: `deed new demo DIR`")));
    }
    let files = write(folder, FILES.into_iter())?;
    let home = match &session.home {
        Some(_) => None,
        None => Some(Home::init(&folder.join(FOLDER), DEFAULT_TENANT)?.root().to_owned()),
    };
    Ok(NewDemo { folder: folder.to_owned(), files, home })
}
