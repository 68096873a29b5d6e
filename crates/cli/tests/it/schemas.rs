//! Every command has a schema of its `--json` output, and every document that a test reads satisfies it.

use crate::common::Project;
use crate::common::schemas::{SCHEMAS, folder};
use crate::help::commands;
use deed_schema::Schema;
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn every_command_has_a_schema_and_every_schema_a_command() {
    let p = Project::bare();
    let listed: Vec<String> = p.ok(&["schema"]).stdout.lines().map(str::to_owned).collect();
    let mut leaves: Vec<String> = commands(&p).into_iter().map(|words| words.join(" ")).collect();
    // Tools for developing Deed are not listed by its help.
    leaves.push("dev imprint-audit".to_owned());
    leaves.sort();
    assert_eq!(listed, leaves);
    assert_eq!(SCHEMAS.keys().cloned().collect::<Vec<_>>(), leaves);
}

#[test]
fn the_files_are_those_that_the_command_writes() {
    let p = Project::bare();
    p.ok(&["schema", "--out", "cli"]);
    for entry in std::fs::read_dir(p.path("cli")).unwrap() {
        let path = entry.unwrap().path();
        let kept = std::fs::read_to_string(folder().join(path.file_name().unwrap())).unwrap_or_default();
        let made = std::fs::read_to_string(&path).unwrap();
        assert!(kept == made, "{} is out of date: run `make schemas`", path.display());
    }
}

/// A schema that accepts anything would hold for anything.
#[test]
fn the_schemas_refuse_other_documents() {
    let p = Project::bare();
    p.ok(&["init"]);
    let document = p.json(&["doctor"]);
    let schema = Schema::new(SCHEMAS["doctor"].clone()).unwrap();
    assert_eq!(schema.is_valid(&document), Ok(true));
    for (pointer, other) in [
        ("/version", Value::from(2)),
        ("/ok", Value::from("yes")),
        ("/data", Value::from("text")),
        ("/data/level", Value::from(3)),
        ("/data/checks/0/status", Value::from("fine")),
        ("/diagnostics", Value::Null),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(pointer).unwrap() = other;
        assert_eq!(schema.is_valid(&changed), Ok(false), "{pointer}");
    }
}

/// Places that hold JSON of the user, of a document with a schema of its own, or of a signer. Nothing else is free.
const FREE: [&str; 73] = [
    // Payloads, filled templates and values of rules, as the user's schema or rule has them.
    "Answer/payload",
    "EvaluatedRule/value",
    "SweepPoint/values",
    "ExplainedExpression/value",
    "FilledTemplate/filled",
    "FilledTemplate/supplied",
    "LoweredPayload/payload",
    "MappedDocument/document",
    "PatchOp/value",
    "RestoredPayload/payload",
    // Values before and after a change.
    "AppliedChange/after",
    "AppliedChange/before",
    "Change/after",
    "Change/before",
    "PacketResult/after",
    "PacketResult/before",
    "PlanChange/after",
    "PlanChange/before",
    "StageDifference/after",
    "StageDifference/before",
    // Packs as their author wrote them: schemas/context-pack.v2.schema.json.
    "BundleInputs/overlays",
    "BundleInputs/pack",
    "ResolvedPack/pack",
    "ShownPack",
    "ShownPack/document",
    // JSON Schemas and rules.
    "ArtifactContract/derived_schema",
    "CallGate/when",
    "CommandSchema/properties",
    "CompiledPlan/entities",
    "Condition/rule",
    "GoldenCall/arguments",
    "GoldenMove/after",
    "GoldenMove/before",
    "InferredData/schema",
    "InputContract/derived_schema",
    "ShownType/entity",
    // Ladder contracts in validation packs.
    "DefaultValue/value",
    "DefaultValue/when",
    "DomainRule/rule",
    "DomainRule/when",
    "LadderContract/schema",
    "Transform/when",
    "TransformKind/set",
    // What a request, a run, a source or a tool hands in.
    "ApprovedCall/arguments",
    "ArgConstraint/enum",
    "ArgConstraint/equals",
    "CallAnswer/proof",
    "CallOutcome/value",
    "EvidenceItem/content",
    "MemoryItem/value",
    "MemoryProposal/value",
    "MessagePart/arguments",
    "MessagePart/block",
    "RequestInput/context",
    "RunContext",
    "RunUser",
    "ToolCall/arguments",
    "ToolOutcome/value",
    "ToolRequest/arguments",
    "ToolResult/proof",
    "TranscriptEntry/answer",
    // Trees of a rule, and the values that a stage read and decided.
    "ControlExplanation/tree",
    "RecordedStage/decided",
    "RecordedStage/reads",
    "RuleExplanation/tree",
    // By the schemas of the pack.
    "DecisionRecord/inputs",
    "DecisionRecord/outputs",
    // Fields of profiles, each by the schema of its own.
    "UnsentParameter/value",
    "ExplainedRow/value",
    "ProfileChange/before",
    "ProfileChange/after",
    // The document as it was written.
    "ShownProfile/document",
    // Statements: schemas/ has one schema for each type of predicate.
    "Statement/predicate",
];

/// Signed envelopes of events, which are shown as DSSE has them.
const ENVELOPES: [&str; 4] = ["RunEvent/checkpoint", "RunEvent/receipt", "RunEvent/seal", "SignedApproval/envelope"];

/// Collects the places of a schema that accept anything, named by their type and member.
fn free(schema: &Value, place: &str, found: &mut BTreeSet<String>) {
    let Value::Object(keywords) = schema else {
        if schema == &Value::Bool(true) {
            found.insert(place.to_owned());
        }
        return;
    };
    const CONSTRAINTS: [&str; 7] = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
    let is_open = |of: &str, described: &[&str]| {
        let here = keywords.get("type").is_some_and(|sort| sort == of);
        here && !described.iter().chain(&CONSTRAINTS[3..]).any(|keyword| keywords.contains_key(*keyword))
    };
    let open = !CONSTRAINTS.iter().any(|keyword| keywords.contains_key(*keyword))
        || is_open("object", &["properties", "additionalProperties"])
        || is_open("array", &["items", "prefixItems"]);
    if open {
        found.insert(place.to_owned());
    }
    for (name, member) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
        free(member, &format!("{place}/{name}"), found);
    }
    for keyword in ["items", "additionalProperties"] {
        keywords.get(keyword).into_iter().for_each(|inner| free(inner, place, found));
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for variant in keywords.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            free(variant, place, found);
        }
    }
}

/// A schema that accepts nearly anything says nothing to programs that read the output.
#[test]
fn no_schema_is_loose() {
    let mut found = BTreeSet::new();
    for (command, schema) in SCHEMAS.iter() {
        let mut own = BTreeSet::new();
        free(&schema["properties"]["data"], "data", &mut own);
        free(&schema["properties"]["diagnostics"], "diagnostics", &mut own);
        assert_eq!(own, BTreeSet::new(), "deed {command}");
        for (name, definition) in schema["$defs"].as_object().unwrap() {
            free(definition, name, &mut found);
        }
    }
    let allowed: BTreeSet<String> = FREE.into_iter().chain(ENVELOPES).map(str::to_owned).collect();
    assert_eq!(found, allowed);
}

/// Collects the references of a schema.
fn references<'s>(schema: &'s Value, found: &mut BTreeSet<&'s str>) {
    match schema {
        Value::Object(keywords) => {
            found.extend(keywords.get("$ref").and_then(Value::as_str));
            keywords.values().for_each(|inner| references(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Contracts and commands alike: an id of its own, and no reference that leads nowhere.
#[test]
fn every_schema_has_an_id_and_its_references_resolve() {
    let mut ids = BTreeSet::new();
    let mut count = 0;
    for folder in [folder(), folder().join("..")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            count += 1;
            let schema: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let id = schema["$id"].as_str().unwrap_or_else(|| panic!("{} has no $id", path.display())).to_owned();
            let stem = path.file_name().unwrap().to_string_lossy().replace(".schema.json", "");
            let expected = [format!("urn:deed:cli:{stem}:v1"), format!("urn:deed:schema:{}", stem.replace('.', ":"))];
            assert!(expected.contains(&id), "{id} in {}", path.display());
            assert!(ids.insert(id), "{} has the id of another", path.display());
            let mut found = BTreeSet::new();
            references(&schema, &mut found);
            for reference in found {
                let pointer =
                    reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} in {}", path.display()));
                assert!(schema.pointer(pointer).is_some(), "{reference} in {}", path.display());
            }
            assert!(Schema::new(schema).is_ok(), "{}", path.display());
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn one_schema_is_printed() {
    let p = Project::bare();
    let printed: Value = serde_json::from_str(&p.ok(&["schema", "runs", "show"]).stdout).unwrap();
    assert_eq!(printed["$id"], "urn:deed:cli:runs-show:v1");
    assert_eq!(printed, p.json(&["schema", "runs", "show"])["data"]);
    p.refuses(&["schema", "runs", "shwo"], 2, "D0019", "runs show");
    p.refuses(&["schema", "pack"], 2, "D0019", "`pack` is a group: name one of its commands");
}
