//! `endpoint_ref`: another registry entry for an adapter of the pack.

use super::super::edit::Edit;
use super::super::forbidden::Forbidden;
use super::super::shown::shown;
use super::{Refusal, Subject};
use crate::endpoint::{EndpointFault, check_endpoint};
use crate::pointer::pointer;
use deed_canon::Pointer;
use deed_diag::{codes, did_you_mean};
use deed_model::Adapter;
use serde_json::Value;

/// The registry that always exists.
const INTERNAL: &str = "internal";

pub(super) fn prove(subject: &Subject<'_>, adapter_id: &str, value: &str) -> Result<Edit, Refusal> {
    let adapters = &subject.state.pack.tooling_layer.adapter_registry;
    let Some(index) = adapters.iter().position(|a| a.adapter_id == adapter_id) else {
        return Err(absent(subject, adapter_id, adapters));
    };
    check_endpoint(value).map_err(|fault| not_a_reference(subject, value, &fault))?;
    let scheme = scheme_of(value);
    if scheme != INTERNAL && !adapters.iter().any(|a| scheme_of(&a.endpoint_ref) == scheme) {
        let message = format!("no adapter of the pack uses the registry `{scheme}`");
        let help = format!("use `{INTERNAL}://`, or a registry that the pack already refers to");
        return Err(Box::new(subject.refuse(codes::ENDPOINT_NOT_A_REGISTRY_REFERENCE, "value", message).help(help)));
    }
    Ok(Edit {
        pointer: pointer!("tooling_layer", "adapter_registry", index, "endpoint_ref"),
        after: Value::String(value.to_owned()),
        proof: "the adapter keeps its capabilities, permissions and mode, and only its registry entry differs"
            .to_owned(),
    })
}

fn scheme_of(reference: &str) -> &str {
    reference.split_once("://").map_or("", |(scheme, _)| scheme)
}

/// An endpoint for an unknown adapter would introduce the adapter.
fn absent(subject: &Subject<'_>, adapter_id: &str, adapters: &[Adapter]) -> Refusal {
    let mut refusal = Forbidden::Capability.diagnostic(subject.document, &Pointer::push(subject.at, "adapter_id"));
    refusal.message = format!("the pack has no adapter {}, and an overlay cannot add one", shown(adapter_id));
    let near = did_you_mean(adapter_id, adapters.iter().map(|a| a.adapter_id.as_str()));
    refusal.help = near.or(refusal.help);
    Box::new(refusal)
}

fn not_a_reference(subject: &Subject<'_>, value: &str, fault: &EndpointFault) -> Refusal {
    // A reference with credentials is not shown: it may contain the secret itself.
    let message = match fault {
        EndpointFault::Credentials => "the reference carries a user name, a password or a query".to_owned(),
        EndpointFault::NotAReference(why) => format!("{} is not a registry reference: {why}", shown(value)),
    };
    let help = "write `internal://<name>`; the gateway exchanges credentials for the entry of that name";
    Box::new(subject.refuse(codes::ENDPOINT_NOT_A_REGISTRY_REFERENCE, "value", message).help(help))
}
