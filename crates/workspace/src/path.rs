//! Paths of files in a workspace: an area, and below it a plain path that is the same however it is spelled.

use crate::area::Area;
use crate::names::refused;
use deed_diag::{Diagnostic, codes, quote};
use deed_plan::normal_path;

/// The path of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FilePath {
    text: String,
    folded: String,
    area: Area,
}

impl FilePath {
    /// Reads a path. One that begins with neither area is a file of people.
    ///
    /// # Errors
    /// It leads out of its area, names no file, or means something else on some systems.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let unfit = |why: &str| {
            let message = format!("{} cannot name a file of a workspace: {why}", quote(text));
            let help =
                "write `people/hours.csv` or `agents/monthly/report.csv`: parts separated by `/`, at most 1024 bytes";
            refused(codes::BAD_WORKSPACE_PATH, message, help)
        };
        let given = normal_path(text).map_err(unfit)?;
        let first = given.text.split('/').next().unwrap_or_default();
        if let (None, Some(area)) = (Area::of(first), Area::of(&first.to_lowercase())) {
            return Err(unfit(&format!("the area is written `{}`", area.as_str())));
        }
        let whole = match Area::of(first) {
            Some(_) => given,
            None => normal_path(&format!("{}/{}", Area::People.as_str(), given.text)).map_err(unfit)?,
        };
        let area = whole.text.split_once('/').and_then(|(first, _)| Area::of(first));
        let Some(area) = area else { return Err(unfit("it names an area, and no file in it")) };
        Ok(Self { text: whole.text, folded: whole.folded, area })
    }

    /// Returns the path.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the form that it has in common with all paths that a file system may take for the same.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns the area.
    pub fn area(&self) -> Area {
        self.area
    }

    /// Returns the last part of the path.
    pub fn file_name(&self) -> &str {
        self.text.rsplit('/').next().unwrap_or_default()
    }
}

/// Returns the path of an output of a run: `output/report.csv` of the plan `monthly` is `agents/monthly/report.csv`. None
/// for a file that is no output.
pub fn agents_path(plan: &str, artifact: &str) -> Option<Result<FilePath, Vec<Diagnostic>>> {
    let below = artifact.strip_prefix("output/")?;
    Some(FilePath::read(&format!("{}/{plan}/{below}", Area::Agents.as_str())))
}

/// Returns the path that an input of a plan names in a workspace: `input/agents/monthly/report.csv` is that file, and
/// `input/hours.csv` is `people/hours.csv`.
///
/// # Errors
/// It cannot name a file of a workspace.
pub fn input_path(input: &str) -> Result<FilePath, Vec<Diagnostic>> {
    FilePath::read(input.strip_prefix("input/").unwrap_or(input))
}
