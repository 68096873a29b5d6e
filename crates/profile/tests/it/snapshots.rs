//! Snapshots: frozen, hashed, and in need of nothing outside of them.

use deed_model::{ExecutionProfile, ModelSettings, ProfileSnapshot, ValidationMode, schema_for};
use deed_profile::{
    Objects, ProfileFile, ResolveInputs, Resolved, SettingsFile, explain, resolve, shipped_profile, shipped_profiles,
    snapshot_hash, table,
};

fn resolved(profile: &ProfileFile) -> Resolved {
    resolve(&ResolveInputs { profile, governed: None, workspace: None, objects: Objects::default() }).unwrap()
}

/// The hashes of the shipped profiles. A change of one is a new version of the profile.
#[test]
fn shipped_profiles_have_recorded_hashes() {
    let recorded = include_str!("../golden/hashes.txt");
    let found: String = shipped_profiles()
        .iter()
        .map(|file| {
            let resolved = resolved(file);
            format!("{} {} {}\n", resolved.snapshot.profile_ref, resolved.snapshot.profile_hash, resolved.snapshot_hash)
        })
        .collect();
    if std::env::var_os("DEED_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/hashes.txt"), &found).unwrap();
    } else {
        assert_eq!(found, recorded);
    }
}

#[test]
fn strict_blocks_and_fast_reports_at_every_phase() {
    for (id, mode) in [("strict-compliance", ValidationMode::Block), ("fast-prototype", ValidationMode::Report)] {
        let snapshot = resolved(shipped_profile(id).unwrap()).snapshot;
        assert_eq!(snapshot.validation.len(), 6);
        assert!(snapshot.validation.values().all(|phase| phase.mode == mode && phase.default_pack_ref.is_some()));
        assert_eq!(snapshot.bindings.len(), 15);
    }
}

#[test]
fn a_snapshot_is_read_back_and_carries_its_prompts() {
    let resolved = resolved(shipped_profile("strict-compliance").unwrap());
    let bytes = deed_canon::to_canonical_of(&resolved.snapshot).unwrap();
    let read: ProfileSnapshot = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(read, resolved.snapshot);
    assert_eq!(snapshot_hash(&read).unwrap(), resolved.snapshot_hash);
    for binding in read.bindings.values().filter_map(|binding| binding.prompt_binding_ref.as_ref()) {
        assert!(!read.prompts[binding].text.is_empty());
    }
}

#[test]
fn every_change_of_a_value_changes_the_hash() {
    let base = "profile_id: p\nversion: 1.0.0\n";
    let hash = |more: &str| {
        let file = ProfileFile::read("p.yaml", format!("{base}{more}").as_bytes()).unwrap();
        resolved(&file).snapshot_hash
    };
    let changes = [
        "",
        "default_binding: { model_binding_ref: \"openai:gpt-5.2\" }",
        "default_binding: { runtime_overrides: { max_tokens: 7 } }",
        "planning_guidance: [a]",
        "egress: [{ host: a.test }]",
        "budgets: { tool_calls: 1 }",
        "skill_policy: { denied_skills: [a] }",
        "reasoning: { openai_reasoning_enabled: false }",
        "context_pack_ref: a@1.0.0",
        "max_replans: 1",
    ];
    let hashes: std::collections::BTreeSet<String> = changes.iter().map(|more| hash(more).to_string()).collect();
    assert_eq!(hashes.len(), changes.len());
    assert_eq!(hash("# a comment"), hash(""));
}

#[test]
fn settings_move_values_and_only_narrow_power() {
    let profile = shipped_profile("fast-prototype").unwrap();
    let governed =
        b"limits: { max_steps: 10, denied_skills: [web] }\nreasoning: { anthropic_thinking_enabled: false }\n";
    let governed = SettingsFile::read("governed.yaml", governed).unwrap();
    let workspace = SettingsFile::read("workspace.yaml", b"limits: { max_steps: 99 }\nwindow_size: 3\n").unwrap();
    let inputs =
        ResolveInputs { profile, governed: Some(&governed), workspace: Some(&workspace), objects: Objects::default() };
    let resolved = resolve(&inputs).unwrap();
    assert_eq!(resolved.snapshot.power.max_steps, Some(10));
    assert!(!resolved.snapshot.power.allows_skill("web"));
    assert_eq!(resolved.snapshot.window_size, 8, "the profile has the last word on values");
    assert_eq!(resolved.snapshot.reasoning.anthropic_thinking_enabled, Some(false));
    let codes: Vec<String> = resolved.report.diagnostics().iter().map(|d| d.code.to_string()).collect();
    assert_eq!(codes, ["D2823"]);
    let rows = explain(&inputs, &resolved);
    let row = |key: &str| rows.iter().find(|row| row.key == key).unwrap();
    assert_eq!(row("power/max_steps").level, "governed_settings");
    assert_eq!(row("power/max_steps").overrides, ["profile: 50"]);
    assert_eq!(row("window_size").level, "profile");
    assert_eq!(row("window_size").overrides, ["workspace: 3", "built_in: 4"]);
    assert!(row("window_size").place.starts_with("shipped:fast-prototype.yaml:"));
    assert_eq!(table(&rows).len(), rows.len());
}

#[test]
fn a_model_or_a_prompt_that_cannot_be_used_is_refused_at_every_level() {
    let profile = ProfileFile::read("p.yaml", b"profile_id: p\nversion: 1.0.0\n").unwrap();
    for (text, code, pointer) in [
        ("defaults: { model_binding_ref: \"opnai:x\" }\n", "D2803", "/defaults/model_binding_ref"),
        (
            "consumers: { operator_executor.native: { model_binding_ref: \"openai:x\" } }\n",
            "D2804",
            "/consumers/operator_executor.native/model_binding_ref",
        ),
        (
            "consumers: { operator_brief: { prompt_binding_ref: nowhere@v1 } }\n",
            "D2810",
            "/consumers/operator_brief/prompt_binding_ref",
        ),
    ] {
        let workspace = SettingsFile::read("w.yaml", text.as_bytes()).unwrap();
        let report = resolve(&ResolveInputs {
            profile: &profile,
            governed: None,
            workspace: Some(&workspace),
            objects: Objects::default(),
        })
        .unwrap_err();
        let first = &report.diagnostics()[0];
        assert_eq!(first.code.to_string(), code, "{text}");
        assert_eq!(first.place.as_ref().unwrap().pointer.as_deref(), Some(pointer));
    }
}

#[test]
fn every_field_is_described() {
    for schema in [schema_for::<ExecutionProfile>(), schema_for::<ModelSettings>(), schema_for::<ProfileSnapshot>()] {
        let mut open = vec![&schema];
        while let Some(node) = open.pop() {
            for (name, property) in node.get("properties").and_then(|p| p.as_object()).into_iter().flatten() {
                assert!(property.get("description").is_some(), "{name}");
            }
            open.extend(node.as_object().into_iter().flat_map(|members| members.values()).filter(|v| v.is_object()));
        }
    }
}
