//! Compatibility requirements of a pack.

use super::super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};

/// The components whose versions Deed knows. Those of any other component come with a run, under `components`, and a
/// compile without them is refused.
const COMPONENTS: [&str; 2] = ["runtime", "ontology"];

pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let ontology = &input.pack.intelligence_refs.ontology;
    let mut findings = Vec::new();
    for (component, range) in &input.pack.contract_meta.compatibility.requires {
        let at = pointer!("contract_meta", "compatibility", "requires", component);
        let misspelt = did_you_mean(component, COMPONENTS).filter(|_| !COMPONENTS.contains(&component.as_str()));
        if misspelt.is_some() || !is_component(component) {
            findings.push(
                Diagnostic::error(
                    codes::UNMET_COMPATIBILITY,
                    format!("{} is not a component that a pack can require", quote(component)),
                )
                .at(document.key_place(&at))
                .help(misspelt.unwrap_or_else(|| {
                    "write `runtime`, `ontology`, or the name of a component that runs state, such as `gateway`"
                        .to_owned()
                })),
            );
            continue;
        }
        let parsed = match semver::VersionReq::parse(range) {
            Ok(parsed) => parsed,
            Err(_) => {
                findings.push(
                    Diagnostic::error(codes::UNMET_COMPATIBILITY, format!("{} is not a version range", quote(range)))
                        .at(document.place(&at))
                        .help("write comparators joined by commas, such as `>=1.0.0, <2.0.0`"),
                );
                continue;
            }
        };
        if parsed.comparators.is_empty() {
            findings.push(
                Diagnostic::error(
                    codes::UNMET_COMPATIBILITY,
                    format!("{} accepts any version of `{component}`", quote(range)),
                )
                .at(document.place(&at))
                .help("write the versions that the pack supports, such as `>=1.0.0`"),
            );
        }
        let fits = semver::Version::parse(&ontology.version).is_ok_and(|v| parsed.matches(&v));
        if component == "ontology" && !fits {
            findings.push(
                Diagnostic::error(
                    codes::UNMET_COMPATIBILITY,
                    format!(
                        "the pack requires an ontology {} and refers to {}",
                        quote(range),
                        quote(&ontology.version)
                    ),
                )
                .at(document.place(&at))
                .related(document.place("/intelligence_refs/ontology/version"), "the version that is referred to")
                .help("widen the range, or refer to a version of the ontology within it"),
            );
        }
    }
    if !input.pack.contract_meta.compatibility.requires.contains_key("runtime") {
        findings.push(
            Diagnostic::error(
                codes::UNMET_COMPATIBILITY,
                "the pack does not state the runtime version that it requires",
            )
            .at(document.place("/contract_meta/compatibility/requires"))
            .help("add `runtime: \">=1.0.0\"`, so that an older runtime refuses it"),
        );
    }
    findings
}

/// Names of components: lowercase words, such as `gateway` or `policy-engine`.
fn is_component(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.'))
}
