//! Cancels a run.

use super::environment::{MachineOptions, RunEnvironment};
use super::load::{engine_error, load};
use crate::catalog;
use crate::error::AppError;
use crate::registry::without_secret;
use crate::session::Session;
use crate::workspaces;
use deed_model::RunOutcome;
use deed_ports::Engine as _;
use std::path::PathBuf;
use tracing::info_span;

/// Cancels a run. Gives its name and its outcome; no outcome where another process drives it and was asked to end it.
///
/// # Errors
/// There is no such run, the actor is no person of its workspace, or the reason holds a secret.
pub fn cancel(
    session: &Session,
    run: &str,
    why: Option<&str>,
    catalog_folders: &[PathBuf],
) -> Result<(String, Option<RunOutcome>), AppError> {
    let _span = info_span!("cancel", run).entered();
    if let Some(why) = why {
        without_secret("--why", why)?;
    }
    let (_, store, loaded) = load(session, run)?;
    drop(store);
    workspaces::by_member(session, loaded.state.request.as_ref())?;
    let (catalog, _) = catalog::for_run(session, catalog_folders, &loaded.state)?;
    let run_id = loaded.run_id;
    let environment = RunEnvironment::open(session, catalog, &MachineOptions::default())?;
    let actor = session.stamp()?.actor;
    environment.engine.cancel(&run_id, &actor, why).map_err(engine_error)?;
    let (_, state) = environment.engine.load(&run_id).map_err(engine_error)?;
    Ok((run_id, state.ended))
}
