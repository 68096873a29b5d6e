//! The ontology: the terms that the pack names, its version, and the evidence that is mapped to its terms.

use super::document::{hashed, not_used, read};
use super::replaced::Replaced;
use super::{Checked, Found};
use deed_diag::{Diagnostic, Document, Invariant as _, Report, codes, did_you_mean, quote};
use deed_model::OntologyDocument;
use serde_json::{Value, json};

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let ontology: OntologyDocument = read(document)?;
    let refs = &checked.pack.intelligence_refs;
    if ontology.namespace != refs.ontology.namespace {
        return Err(not_used(document, "/namespace", "the ontology", &[&refs.ontology.namespace]));
    }
    let own = &checked.bundle.document;
    let mut findings = version(checked, document, &ontology);
    let lists = [
        (
            "entity type",
            "/intelligence_refs/ontology/entity_types",
            &refs.ontology.entity_types,
            &ontology.entity_types,
        ),
        (
            "relationship",
            "/intelligence_refs/ontology/relationship_types",
            &refs.ontology.relationship_types,
            &ontology.relationship_types,
        ),
        (
            "identity namespace",
            "/intelligence_refs/identity_layer/ceid_namespaces",
            &refs.identity_layer.ceid_namespaces,
            &ontology.ceid_namespaces,
        ),
    ];
    for (what, pointer, used, known) in lists {
        for (at, term) in used.iter().enumerate().filter(|(_, term)| !known.contains(term)) {
            let names = known.iter().map(String::as_str);
            let message = format!("the ontology has no {what} {}", quote(term));
            findings.push(
                Diagnostic::error(codes::ONTOLOGY_TERM_MISSING, message)
                    .at(own.place(&format!("{pointer}/{at}")))
                    .related(document.place(""), "the changed ontology")
                    .help_opt(did_you_mean(term, names)),
            );
        }
    }
    // Evidence that is mapped to a term which is gone cannot be resolved any more.
    let kept = |used: &[String], known: &[String]| -> Value {
        used.iter().filter(|term| known.contains(term)).cloned().collect::<Vec<_>>().into()
    };
    let mut layer = own.value().pointer("/intelligence_refs").cloned().invariant("a typed pack refers to an ontology");
    let terms = layer.get_mut("ontology").and_then(Value::as_object_mut);
    let terms = terms.invariant("a typed pack names the terms of its ontology");
    terms.insert("entity_types".to_owned(), kept(&refs.ontology.entity_types, &ontology.entity_types));
    let relations = kept(&refs.ontology.relationship_types, &ontology.relationship_types);
    terms.insert("relationship_types".to_owned(), relations);
    let identity = layer.get_mut("identity_layer").and_then(Value::as_object_mut);
    let identity = identity.invariant("a typed pack has an identity layer");
    let namespaces = kept(&refs.identity_layer.ceid_namespaces, &ontology.ceid_namespaces);
    identity.insert("ceid_namespaces".to_owned(), json!(namespaces));
    let replaced = Some(Replaced::new(checked.bundle, "/intelligence_refs", layer, None)?);
    Ok(Found { name: ontology.namespace, hash: hashed(document.value())?, findings, replaced })
}

/// The version must be the one that the pack refers to: a run that offers another is refused.
fn version(checked: &Checked<'_>, document: &Document, ontology: &OntologyDocument) -> Vec<Diagnostic> {
    let own = &checked.bundle.document;
    let pinned = &checked.pack.intelligence_refs.ontology.version;
    let range = checked.pack.contract_meta.compatibility.requires.get("ontology");
    // A range or a version that cannot be read accepts nothing.
    let accepts = |range: &String| {
        let parsed = semver::VersionReq::parse(range).ok().zip(semver::Version::parse(&ontology.version).ok());
        parsed.is_some_and(|(range, version)| range.matches(&version))
    };
    if let Some(range) = range.filter(|range| !accepts(range)) {
        let message = format!("the pack accepts an ontology {}, and this one is {}", quote(range), ontology.version);
        return vec![
            Diagnostic::error(codes::DEPENDENCY_VERSION_UNFIT, message)
                .at(own.place("/contract_meta/compatibility/requires/ontology"))
                .related(document.place("/version"), "the version of the ontology")
                .help("publish a version of the pack that accepts it"),
        ];
    }
    if ontology.version == *pinned {
        return Vec::new();
    }
    let message = format!("the pack refers to version {pinned}, and the ontology is {}", ontology.version);
    vec![
        Diagnostic::error(codes::DEPENDENCY_VERSION_UNFIT, message)
            .at(own.place("/intelligence_refs/ontology/version"))
            .related(document.place("/version"), "the version of the ontology")
            .help("runs that offer only this version are refused: publish a version of the pack that refers to it"),
    ]
}
