//! published → pinned in an environment; a rollback is a pin of the version before.

use super::super::environment::{EnvironmentState, PinRecord, is_environment_name};
use super::super::history::{PackHistory, Publication};
use super::super::publication::{Purpose, may_use, refusal};
use super::super::transition::Transition;
use super::recheck::none_failed;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::RegistryEvent;

/// Pins a version in an environment, with the overlays that the environment applies. It is a rollback only if it leads back to
/// an earlier pin. Pinning the current version again with
/// the same overlays changes nothing.
pub fn may_pin(
    history: &PackHistory,
    environment: &EnvironmentState,
    overlays: &[String],
) -> Result<Transition, Vec<Diagnostic>> {
    none_failed(history)?;
    let event = pinned(history, environment, overlays)?;
    let repeated = environment.current().is_some_and(|pin| {
        matches!(&event, RegistryEvent::PackPinned { pack_ref, overlays, .. }
            if *pack_ref == pin.pack_ref && *overlays == pin.overlays)
    });
    Ok(if repeated { Transition::AlreadyDone } else { Transition::append(event) })
}

/// Pins the version and the overlays that an environment had before the current ones.
pub fn may_roll_back(history: &PackHistory, environment: &EnvironmentState) -> Result<Transition, Vec<Diagnostic>> {
    let target = roll_back_target(environment)?;
    let event = pinned(history, environment, &target.overlays)?;
    Ok(Transition::append(match event {
        RegistryEvent::PackPinned { pack_ref, content_hash, environment, tenant_id, replaces, overlays, .. } => {
            RegistryEvent::PackPinned {
                pack_ref,
                content_hash,
                environment,
                tenant_id,
                replaces,
                rollback: true,
                overlays,
                took_ms: None,
            }
        }
        other => other,
    }))
}

/// Returns the pin that a rollback of an environment leads to.
///
/// # Errors
/// If the environment has nothing pinned, or had no other version before.
pub fn roll_back_target(environment: &EnvironmentState) -> Result<&PinRecord, Vec<Diagnostic>> {
    let key = &environment.key;
    let message = match environment.current() {
        None => format!("the environment `{}` has no version of `{}` pinned", key.environment, key.pack_id),
        Some(pin) => match environment.previous() {
            Some(target) => return Ok(target),
            None => format!("no version was pinned in `{}` before `{}`", key.environment, pin.pack_ref),
        },
    };
    Err(vec![
        Diagnostic::error(codes::NOTHING_PINNED, message)
            .stage("lifecycle")
            .at(environment.place())
            .help("pin a published version with `deed pack pin`; `deed pack list` shows them"),
    ])
}

/// Returns the event that pins a version, whatever is pinned now.
fn pinned(
    history: &PackHistory,
    environment: &EnvironmentState,
    overlays: &[String],
) -> Result<RegistryEvent, Vec<Diagnostic>> {
    let key = &environment.key;
    if !is_environment_name(&key.environment) {
        let message = format!("`{}` is not the name of an environment", key.environment);
        return Err(vec![
            Diagnostic::error(codes::BAD_ENVIRONMENT_NAME, message)
                .stage("lifecycle")
                .at(environment.place())
                .help("use lowercase letters, digits, `.`, `_` and `-`, beginning with a letter or a digit"),
        ]);
    }
    let publication = may_use(history, Purpose::NewWork)?;
    if publication.tenant_id != key.tenant_id && !publication.shared {
        let message = format!(
            "`{}` belongs to the tenant `{}` and cannot be pinned by `{}`",
            history.pack_ref, publication.tenant_id, key.tenant_id
        );
        let help = format!(
            "pin it in a registry of its tenant, made with `deed init --tenant {}`, or publish a version with \
             `pack_meta.shared: true`",
            publication.tenant_id
        );
        return Err(vec![refusal(history, codes::FOREIGN_TENANT, message).help(help)]);
    }
    let overlays = declared(history, publication, overlays)?;
    let current = environment.current().map(|pin| &pin.pack_ref);
    Ok(RegistryEvent::PackPinned {
        pack_ref: history.pack_ref.clone(),
        content_hash: publication.content_hash,
        environment: key.environment.clone(),
        tenant_id: key.tenant_id.clone(),
        replaces: current.cloned(),
        rollback: environment.leads_back_to(&history.pack_ref, &overlays),
        overlays,
        took_ms: None,
    })
}

/// Returns the named overlays in the order in which the version declares them, each once.
fn declared(
    history: &PackHistory,
    publication: &Publication,
    asked: &[String],
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let pack_id = &history.pack_ref.pack_id;
    let names: Vec<&str> = publication.overlays.iter().filter_map(|o| o.overlay_ref.name_in(pack_id)).collect();
    let unknown = |name: &&String| !names.contains(&name.as_str());
    let faults: Vec<Diagnostic> = asked
        .iter()
        .filter(unknown)
        .map(|name| {
            let message = format!("`{}` has no overlay {}", history.pack_ref, quote(name));
            let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| match names.as_slice() {
                [] => "it has none".to_owned(),
                names => format!("it has `{}`", names.join("`, `")),
            });
            refusal(history, codes::UNKNOWN_OVERLAY, message).help(help)
        })
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(names.into_iter().filter(|name| asked.iter().any(|a| a == name)).map(str::to_owned).collect())
}
