//! published → pinned in an environment; rollback is a pin of a lower version.

use super::super::environment::EnvironmentState;
use super::super::history::PackHistory;
use super::super::publication::{Purpose, may_use, refusal};
use super::super::transition::Transition;
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

const LONGEST_NAME: usize = 100;

/// Pins a version in an environment. Pinning the current version again changes nothing.
pub fn may_pin(history: &PackHistory, environment: &EnvironmentState) -> Result<Transition, Vec<Diagnostic>> {
    let key = &environment.key;
    if !is_name(&key.environment) {
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
    let current = environment.current().map(|pin| &pin.pack_ref);
    if current == Some(&history.pack_ref) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::PackPinned {
        pack_ref: history.pack_ref.clone(),
        content_hash: publication.content_hash,
        environment: key.environment.clone(),
        tenant_id: key.tenant_id.clone(),
        replaces: current.cloned(),
        rollback: current.is_some_and(|current| history.pack_ref.version < current.version),
    }))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'))
}
