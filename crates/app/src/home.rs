//! The home of a project: the folder `.deed` with its registry, runs and keys.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::registry;
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_pack::names_tenant;
use deed_sandbox::PrivatePaths;
use deed_store::Registry;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The folder's name.
pub const FOLDER: &str = ".deed";
const CONFIG: &str = "config.json";
const CONFIG_FORMAT: u32 = 1;

/// A project's own folder.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
    /// The options of `deed init`.
    pub config: Config,
}

/// The options of `deed init`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Format of this file; a reader refuses one that it does not know.
    pub format: u32,
    /// The tenant whose environments are pinned here.
    pub tenant: String,
}

impl Home {
    /// Makes a home with an empty registry at this very path.
    ///
    /// # Errors
    /// There is one already, or it cannot be written.
    pub fn init(root: &Path, tenant: &str) -> Result<Self, AppError> {
        if Self::is_at(root) {
            return Err(AppError::refused(
                Diagnostic::error(codes::HOME_EXISTS, "there is already a project here")
                    .stage("init")
                    .at(Place::file(root.display().to_string()))
                    .help("use it as it is; to start over, move the folder away"),
            ));
        }
        if !names_tenant(tenant) {
            let message = format!("{} does not name a tenant", quote(tenant));
            let help = "use letters, digits, `_`, `-`, `.` and `:`; no pack of another name could be pinned here";
            return Err(AppError::refused(Diagnostic::error(codes::TENANT_MISSING, message).stage("init").help(help)));
        }
        let registry = registry_in(root);
        // A crash between the two steps leaves a registry without a configuration; the next init takes it over.
        if Registry::open(&registry).is_err() {
            Registry::create(&registry).map_err(registry::error)?;
        }
        let home = Self::create(root, tenant)?;
        home.close_to_others()?;
        Ok(home)
    }

    /// Restricts writing to the owner, whatever the caller's umask is.
    fn close_to_others(&self) -> Result<(), AppError> {
        use std::os::unix::fs::PermissionsExt;
        let failed = |error: std::io::Error| AppError::writing(&self.root, &error);
        let mode = std::fs::metadata(&self.root).map_err(failed)?.permissions().mode();
        std::fs::set_permissions(&self.root, std::fs::Permissions::from_mode(mode & !0o022)).map_err(failed)
    }

    /// The folder given, or the nearest `.deed` from the working folder upwards.
    pub fn find(given: Option<&Path>) -> Result<Self, AppError> {
        Self::maybe(given)?.ok_or_else(|| no_home("."))
    }

    /// True where a home lies at this very path.
    fn is_at(root: &Path) -> bool {
        root.join(CONFIG).is_file()
    }

    /// Finds the home as [`Home::find`] does; none where there is none and the caller names none.
    pub fn maybe(given: Option<&Path>) -> Result<Option<Self>, AppError> {
        let root = match given {
            // A folder that the caller names is used or refused; another one would be a guess.
            Some(path) if !path.join(CONFIG).is_file() => return Err(no_home(&path.display().to_string())),
            // Absolute, because folders of it are mounted into sandboxes.
            Some(path) => Some(std::path::absolute(path).map_err(|e| AppError::reading(path, &e))?),
            None => {
                let start = std::env::current_dir().map_err(|e| AppError::reading(Path::new("."), &e))?;
                let nearest = start.ancestors().map(|a| a.join(FOLDER)).find(|p| p.is_dir());
                // An incomplete home is not skipped: a home above it may belong to another project.
                if let Some(path) = nearest.as_ref().filter(|path| !path.join(CONFIG).is_file()) {
                    return Err(bad_config(&path.join(CONFIG), "it is not there"));
                }
                nearest
            }
        };
        root.map(Self::load).transpose()
    }

    fn load(root: PathBuf) -> Result<Self, AppError> {
        let path = root.join(CONFIG);
        let document = files::document(&path)?;
        let config: Config =
            serde_json::from_value(document.value().clone()).map_err(|e| bad_config(&path, &e.to_string()))?;
        if config.format != CONFIG_FORMAT {
            return Err(bad_config(&path, &format!("its format is {}, and {CONFIG_FORMAT} is read", config.format)));
        }
        Ok(Self { root, config })
    }

    /// Writes the folder's configuration; the registry is made by the caller first, so that a folder with a
    /// configuration is a whole one.
    fn create(root: &Path, tenant: &str) -> Result<Self, AppError> {
        let config = Config { format: CONFIG_FORMAT, tenant: tenant.to_owned() };
        let text = serde_json::to_string_pretty(&config).map_err(AppError::internal)? + "\n";
        files::write(&root.join(CONFIG), text.as_bytes(), Existing::Keep, Access::Shared)?;
        Ok(Self { root: root.to_owned(), config })
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The registry's folder.
    pub fn registry(&self) -> PathBuf {
        registry_in(&self.root)
    }

    /// The governed settings of all runs; the file need not be there.
    pub fn settings(&self) -> PathBuf {
        self.root.join("settings.yaml")
    }

    /// The folder of the log of decisions.
    pub fn decisions(&self) -> PathBuf {
        self.root.join("decisions")
    }

    /// The folder of what was added to the catalogue.
    pub fn catalog(&self) -> PathBuf {
        self.root.join("catalog")
    }

    /// The paths of the caller and of this project that no sandbox may see.
    pub fn private(&self) -> PrivatePaths {
        PrivatePaths::of_caller(std::slice::from_ref(&self.root))
    }

    /// The folder of runs: the journal and its blobs.
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// The folder of the journals of distillations.
    pub fn distillations(&self) -> PathBuf {
        self.root.join("distillations")
    }

    /// The folder of the memory log and the content of memories.
    pub fn memory(&self) -> PathBuf {
        self.root.join("memory")
    }

    /// The folder of workspaces.
    pub fn workspaces(&self) -> PathBuf {
        self.root.join("workspaces")
    }

    /// The folder of a workspace: its log, and its memory.
    pub fn workspace(&self, name: &str) -> PathBuf {
        self.workspaces().join(name)
    }

    /// The folder of the memory log of a workspace.
    pub fn workspace_memory(&self, name: &str) -> PathBuf {
        self.workspace(name).join("memory")
    }

    /// The file that names the workspace in use; it need not be there.
    pub fn workspace_in_use(&self) -> PathBuf {
        self.root.join("workspace.json")
    }

    /// The folder of heads of the journal, noted outside of it.
    pub fn anchor(&self) -> PathBuf {
        self.root.join("anchor")
    }

    /// The folder in which steps are staged.
    pub fn stage(&self) -> PathBuf {
        self.root.join("stage")
    }

    /// The folder of what sandboxes are started with.
    pub fn tools(&self) -> PathBuf {
        self.root.join("tools")
    }

    /// The folder of secrets.
    pub fn secrets(&self) -> PathBuf {
        self.root.join("secrets")
    }

    /// The folder of private keys.
    pub fn keys(&self) -> PathBuf {
        self.root.join("keys")
    }
}

/// The path of the registry inside a home.
fn registry_in(root: &Path) -> PathBuf {
    root.join("registry")
}

fn no_home(place: &str) -> AppError {
    AppError::environment(
        Diagnostic::error(codes::HOME_NOT_FOUND, "there is no project (`.deed`) here or in any folder above")
            .stage("home")
            .at(Place::file(place))
            .help("`deed init` makes one in this folder; `--home DIR` names one elsewhere"),
    )
}

fn bad_config(path: &Path, why: &str) -> AppError {
    AppError::environment(
        Diagnostic::error(codes::BAD_CONFIG, format!("the configuration cannot be used: {why}"))
            .stage("home")
            .at(Place::file(path.display().to_string()))
            .help("it is written by `deed init`; put back what that wrote"),
    )
}
