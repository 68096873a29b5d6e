//! Admission: checks that this pack may serve this run and request, before the stages.

use crate::refusal::Refusal;
use crate::stages::Cx;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{LedgerNotice, OverlayRef, PackRef, RefError, Stage};
use deed_pack::{CONTRACT_MAJORS, reads_contract};
use std::borrow::Cow;

/// The version of the runtime that packs may require. It changes with the meaning of a compiled context.
pub const RUNTIME_VERSION: &str = "1.0.0";

/// Checks everything, and returns the assumptions that had to be made.
pub(crate) fn admit<'a>(cx: Cx<'a>) -> Result<Vec<LedgerNotice<'a>>, Refusal> {
    if cx.pinned {
        references(cx)?;
    }
    tenant(cx)?;
    tokenizer(cx)?;
    subjects(cx)?;
    contract_version(cx)?;
    compatibility(cx)?;
    ontology(cx)
}

/// The first reference is the pack, the others its overlays. Without any, the caller's choice of the pack stands.
fn references(cx: Cx<'_>) -> Result<(), Refusal> {
    let run = cx.inputs.run.context().context_pack_refs.iter().map(String::as_str);
    check_refs(cx, cx.inputs.request.refs(), "request")?;
    check_refs(cx, run, "run context")
}

fn check_refs<'r>(cx: Cx<'_>, mut refs: impl Iterator<Item = &'r str>, from: &str) -> Result<(), Refusal> {
    let Some(base) = refs.next() else { return Ok(()) };
    let at = |i: usize| format!("/context_pack_refs/{i}");
    let pack: PackRef = base.parse().map_err(|error: RefError| {
        Refusal::before(codes::REQUEST_WITHOUT_PACK, format!("the {from} does not pin a pack: {error}"))
            .place(from, &at(0))
            .help(format!("write the id and the version, such as `{}`", cx.pack.reference))
    })?;
    if pack.to_string() != cx.pack.reference {
        let message = format!("the {from} names {} and {} was loaded", quote(base), quote(&cx.pack.reference));
        return Err(Refusal::before(codes::OTHER_PACK_LOADED, message)
            .place(from, &at(0))
            .help("compile with the named pack, or name the pack that was loaded"));
    }
    for (i, text) in refs.enumerate() {
        let refused = |message: String| {
            let declared = &cx.pack.pack.pack_meta.overlays;
            let help = match declared.len() {
                0 => "the pack declares no overlays".to_owned(),
                _ => format!("it declares {}", declared.iter().map(|o| quote(o)).collect::<Vec<_>>().join(", ")),
            };
            Refusal::before(codes::OVERLAY_OF_OTHER_PACK, message).place(from, &at(i + 1)).help(help)
        };
        let overlay: OverlayRef = text.parse().map_err(|error: RefError| refused(error.to_string()))?;
        if !cx.pack.pack.pack_meta.overlays.contains(&overlay.to_string()) {
            let message = format!("{} is not declared as an overlay of {}", quote(text), quote(&cx.pack.reference));
            return Err(refused(message));
        }
        if !cx.pack.overlays.iter().any(|(applied, _)| *applied == overlay.to_string()) {
            return Err(refused(format!("the {from} names {}, which was not applied", quote(text))));
        }
    }
    Ok(())
}

/// A pack serves its own tenant, unless it is shared; a request belongs to the run's tenant.
fn tenant(cx: Cx<'_>) -> Result<(), Refusal> {
    let run = &cx.inputs.run.context().tenant_id;
    if let Some(other) = cx.inputs.request.tenant_id().filter(|own| own != run) {
        let message = format!("the request belongs to {} and the run to {}", quote(other), quote(run));
        return Err(Refusal::before(codes::OTHER_TENANT, message)
            .place("request", "/tenant_id")
            .help("open a run for the tenant whose request it is"));
    }
    let meta = &cx.pack.pack.pack_meta;
    if !meta.shared && meta.tenant.tenant_id != *run {
        let message = format!("the pack belongs to {} and the run to {}", quote(&meta.tenant.tenant_id), quote(run));
        return Err(Refusal::before(codes::OTHER_TENANT, message)
            .place("run context", "/tenant_id")
            .help("a pack serves other tenants only with `pack_meta.shared: true`"));
    }
    Ok(())
}

/// A decision about a subject outside of the pack's namespaces could not be attributed.
fn subjects(cx: Cx<'_>) -> Result<(), Refusal> {
    let namespaces = &cx.pack.pack.intelligence_refs.identity_layer.ceid_namespaces;
    let known = |subject: &str| {
        let named = subject.split_once(':').filter(|(_, id)| !id.is_empty());
        named.is_some_and(|(namespace, _)| namespaces.iter().any(|own| own == namespace))
    };
    let Some(subject) = cx.inputs.run.context().subject_ids.iter().find(|subject| !known(subject)) else {
        return Ok(());
    };
    let own = namespaces.iter().map(String::as_str);
    let named = subject.split_once(':').map_or(subject.as_str(), |(namespace, _)| namespace);
    let list = || match namespaces.first() {
        Some(first) => {
            format!("subjects are written like `{first}:<id>`; it has {}", join(namespaces))
        }
        None => "the pack lists no namespaces under `intelligence_refs.identity_layer`".to_owned(),
    };
    let message = format!("the subject {} is in no namespace of the pack", quote(subject));
    Err(Refusal::before(codes::SUBJECT_OUTSIDE_NAMESPACES, message)
        .place("run context", "/subject_ids")
        .help(did_you_mean(named, own).unwrap_or_else(list)))
}

fn join(names: &[String]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}

/// A pack that was written for another major version of the contract means something else.
fn contract_version(cx: Cx<'_>) -> Result<(), Refusal> {
    let version = &cx.pack.pack.contract_meta.contract_version;
    if reads_contract(version) {
        return Ok(());
    }
    let message =
        format!("the pack follows version {} of the contract, which this runtime does not read", quote(version));
    Err(Refusal::before(codes::UNKNOWN_CONTRACT_VERSION, message)
        .place("pack", "/contract_meta/contract_version")
        .help(format!(
            "it reads the major versions {} to {}; the version of the pack is `pack_meta.pack_version`",
            CONTRACT_MAJORS.start(),
            CONTRACT_MAJORS.end()
        )))
}

/// Counts of different tokenizers are not comparable.
fn tokenizer(cx: Cx<'_>) -> Result<(), Refusal> {
    let (named, own) = (cx.inputs.run.context().tokenizer.as_deref(), cx.pack.tokenizer.id());
    match named.filter(|named| *named != own) {
        None => Ok(()),
        Some(other) => {
            let message = format!("the run counts with {} and the pack was hydrated for {}", quote(other), quote(own));
            Err(Refusal::before(codes::UNKNOWN_TOKENIZER, message).place("run context", "/tokenizer"))
        }
    }
}

/// Every component that the pack requires must exist in an accepted version.
fn compatibility(cx: Cx<'_>) -> Result<(), Refusal> {
    let pack = &cx.pack.pack;
    for (component, range) in &pack.contract_meta.compatibility.requires {
        let refused = |message: String| {
            Refusal::before(codes::COMPONENT_MISSING, message)
                .place("pack", &deed_canon::Pointer::push("/contract_meta/compatibility/requires", component))
        };
        let Ok(wanted) = semver::VersionReq::parse(range) else {
            return Err(refused(format!("{} is not a version range", quote(range))));
        };
        let offered = cx.inputs.run.context().components.get(component).map(String::as_str);
        let known = match component.as_str() {
            "runtime" => Some(RUNTIME_VERSION),
            "ontology" => Some(pack.intelligence_refs.ontology.version.as_str()),
            _ => None,
        };
        if let (Some(known), Some(claimed)) = (known, offered)
            && known != claimed
        {
            let message =
                format!("the run states that `{component}` is {}, but it is {}", quote(claimed), quote(known));
            return Err(refused(message).help(format!("remove `{component}` from the run's `components`")));
        }
        let version = match known {
            Some(known) => known,
            None => offered.ok_or_else(|| {
                refused(format!("the pack requires {}, which is missing", quote(component)))
                    .help("name its version in the run's `components`")
            })?,
        };
        if !semver::Version::parse(version).is_ok_and(|version| wanted.matches(&version)) {
            let message = format!("the pack requires `{component}` {} and there is {}", quote(range), quote(version));
            let help = format!("use a pack that supports `{component}` {version}, or another `{component}`");
            return Err(refused(message).help(help));
        }
    }
    Ok(())
}

/// The ontology version must be available to the run. A run that does not list its ontologies is trusted, and the
/// ledger notes that.
fn ontology<'a>(cx: Cx<'a>) -> Result<Vec<LedgerNotice<'a>>, Refusal> {
    let wanted = &cx.pack.pack.intelligence_refs.ontology;
    let refused = |message: String| {
        Refusal::before(codes::ONTOLOGY_MISSING, message).place("pack", "/intelligence_refs/ontology/version")
    };
    if wanted.version.is_empty() || wanted.namespace.is_empty() {
        return Err(refused("the pack pins no ontology version".to_owned()));
    }
    let Some(there) = &cx.inputs.run.context().ontologies else {
        let message =
            format!("the run does not list its ontologies: {} {} is assumed", wanted.namespace, wanted.version);
        return Ok(vec![LedgerNotice {
            code: Cow::Borrowed(codes::ONTOLOGY_ASSUMED.as_str()),
            message: Cow::Owned(message),
            stage: Stage::Intent,
        }]);
    };
    let versions = there.get(&wanted.namespace).map(Vec::as_slice).unwrap_or_default();
    if versions.contains(&wanted.version) {
        return Ok(Vec::new());
    }
    let list = versions.iter().map(|v| quote(v)).collect::<Vec<_>>().join(", ");
    let help = if list.is_empty() { "there is no version of it".to_owned() } else { format!("there is {list}") };
    let message =
        format!("the ontology {} has no version {} in this run", quote(&wanted.namespace), quote(&wanted.version));
    Err(refused(message).help(help))
}
