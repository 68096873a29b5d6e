//! The session of an operation: its home, its actor and its time.

use crate::clock;
use crate::error::AppError;
use crate::home::Home;
use crate::registry::{self, without_secret};
use deed_diag::{Diagnostic, codes};
use deed_store::{Registry, Stamp};
use std::path::PathBuf;

/// The home, the actor and the time of an operation.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The folder with registry, runs and keys; otherwise the nearest `.deed` from the working folder upwards.
    pub home: Option<PathBuf>,
    /// The actor that is recorded; otherwise the user of the operating system.
    pub actor: Option<String>,
    /// The time that is recorded, as RFC 3339; otherwise the system's clock.
    pub now: Option<String>,
}

impl Session {
    /// Finds the home.
    ///
    /// # Errors
    /// There is none, or its configuration cannot be read.
    pub fn home(&self) -> Result<Home, AppError> {
        Home::find(self.home.as_deref())
    }

    /// Finds the home, if there is one. A home that the session names has to be there.
    ///
    /// # Errors
    /// The named folder is not a home, or its configuration cannot be read.
    pub fn maybe_home(&self) -> Result<Option<Home>, AppError> {
        Home::maybe(self.home.as_deref())
    }

    /// Opens the registry of the home.
    ///
    /// # Errors
    /// There is no home, or its registry cannot be opened.
    pub fn registry(&self) -> Result<(Home, Registry), AppError> {
        let home = self.home()?;
        let registry = Registry::open(&home.registry()).map_err(registry::error)?;
        Ok((home, registry))
    }

    /// The actor and the time, as they are recorded.
    ///
    /// # Errors
    /// The time is not RFC 3339, or the actor's name holds a secret.
    pub fn stamp(&self) -> Result<Stamp, AppError> {
        let at = clock::now(self.now.as_deref()).map_err(|why| {
            AppError::refused(
                Diagnostic::error(codes::BAD_TIME, why).stage("time").help("write `2026-05-09T00:00:00Z`"),
            )
        })?;
        let actor = self.actor.clone().unwrap_or_else(os_user);
        Ok(Stamp { at, actor: without_secret("--actor", &actor)?.to_owned(), began: None })
    }
}

/// The user of the operating system: the name of the account that this process runs as, or its number.
fn os_user() -> String {
    let uid = nix::unistd::Uid::effective();
    let account = nix::unistd::User::from_uid(uid).ok().flatten();
    account.map_or_else(|| format!("uid {uid}"), |account| account.name)
}
