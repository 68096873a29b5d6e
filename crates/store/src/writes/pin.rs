//! published → pinned; a rollback is a pin of the version before.

use crate::error::RegistryError;
use crate::evidence::{environment, history};
use crate::reads::prove;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{PackRef, RegistryEvent};
use deed_pack::{EnvironmentKey, Transition, may_pin, may_roll_back, roll_back_target};

impl Registry {
    /// Makes an environment of a tenant use a version with these overlays from now on. A rollback records the time since
    /// the stamp's beginning, if it has one.
    ///
    /// # Errors
    /// The version may not be pinned or does not verify, or the registry cannot be written.
    pub fn pin(
        &self,
        pack_ref: &PackRef,
        name: &str,
        tenant_id: &str,
        overlays: &[String],
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let history = history(log, pack_ref)?;
            let key = EnvironmentKey {
                tenant_id: tenant_id.to_owned(),
                environment: name.to_owned(),
                pack_id: pack_ref.pack_id.clone(),
            };
            let transition = may_pin(&history, &environment(log, key)?, overlays)?;
            prove(log, &self.blobs, &history)?;
            Ok(Plan::bare(timed(transition, stamp)))
        })
    }

    /// Makes an environment use the version and the overlays again that it had before. `target` is that version, as the
    /// caller knows it: nothing is recorded if another one has been pinned since.
    ///
    /// # Errors
    /// There is no version before, it may not be pinned or does not verify, or the registry cannot be written.
    pub fn roll_back(&self, key: &EnvironmentKey, target: &PackRef, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let environment = environment(log, key.clone())?;
            if roll_back_target(&environment)?.pack_ref != *target {
                return Err(vec![moved_on(key, target)].into());
            }
            let history = history(log, target)?;
            let transition = may_roll_back(&history, &environment)?;
            prove(log, &self.blobs, &history)?;
            Ok(Plan::bare(timed(transition, stamp)))
        })
    }
}

/// Adds the time since the stamp's beginning to a rollback.
fn timed(transition: Transition, stamp: &Stamp) -> Transition {
    taking(transition, stamp.began.and_then(|began| u64::try_from(began.elapsed().as_millis()).ok()))
}

/// Adds the time that a rollback took. No other pin states one.
pub(crate) fn taking(transition: Transition, took: Option<u64>) -> Transition {
    match transition {
        Transition::Append(mut event) => {
            if let RegistryEvent::PackPinned { rollback: true, took_ms, .. } = &mut *event {
                *took_ms = took;
            }
            Transition::Append(event)
        }
        other => other,
    }
}

fn moved_on(key: &EnvironmentKey, target: &PackRef) -> Diagnostic {
    let EnvironmentKey { environment, pack_id, .. } = key;
    let message = format!("`{environment}` was changed meanwhile: a rollback no longer leads to `{target}`");
    Diagnostic::error(codes::NOTHING_PINNED, message)
        .stage("registry")
        .at(Place::file(format!("environment:{environment}:{pack_id}")))
        .help("look at `deed pack list`, and repeat the command if it is still needed")
}
