//! Plans to run: steps in Python, adapters in lanes, and a script that only calls.

use deed_catalog::builtin;
use deed_diag::{Document, Format, Style};
use deed_model::{CompiledPlan, StepCode};
use deed_plan::lower;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;

/// What all of them are given.
pub(crate) const RATES: &str = "word,count\nalpha,1\nbeta,2\n";

/// A compiled plan and its code.
pub(crate) fn compile(plan: &str) -> Result<(CompiledPlan, BTreeMap<String, StepCode>), Box<dyn Error>> {
    let document = Document::read("bench.json", plan.as_bytes(), Format::Json).map_err(|_| "no document")?;
    let lowered = lower(&document, builtin().map_err(|_| "no catalogue")?);
    match lowered.compiled {
        Some(compiled) => Ok((compiled, lowered.code)),
        None => Err(lowered.report.render(Style::Plain).into()),
    }
}

fn whole(steps: Vec<Value>) -> String {
    json!({
        "plan": "bench", "mission": { "objective": "Measure" },
        "policy_profile_id": "generic.inference-allowed.v1",
        "inputs": [{ "slot": "raw_files", "path": "input/rates.csv", "entity_schema_id": "generic.record" }],
        "steps": steps,
    })
    .to_string()
}

/// Steps one after another, each of which writes a file.
pub(crate) fn python(steps: usize) -> String {
    let step = |index: usize| {
        let path = format!("output/{index:03}.txt");
        let before: Vec<String> = index.checked_sub(1).into_iter().map(|before| format!("step-{before:03}")).collect();
        json!({
            "id": format!("step-{index:03}"), "label": "Write", "objective": "MUST write", "depends_on": before,
            "expected_outputs": [{ "path": path }],
            "artifact_contracts": { path.clone(): { "format": "txt", "kind_key": "file.text" } },
            "success_criteria": [format!("{path} exists")],
            "code": { "language": "python", "source": format!("open('{path}', 'w').write('done\\n')\n") },
        })
    };
    whole((0..steps).map(step).collect())
}

/// Lanes of adapters, there and back again.
pub(crate) fn adapters(lanes: usize, steps: usize) -> String {
    let step = |lane: usize, index: usize| {
        let id = |index: usize| format!("lane-{lane:02}-{index:03}");
        let (from, to, adapter, end) = match index % 2 {
            0 => ("table.csv", "table.tsv", "csv_to_tsv.v1", "tsv"),
            _ => ("table.tsv", "table.csv", "tsv_to_csv.v1", "csv"),
        };
        let before: Vec<String> = index.checked_sub(1).into_iter().map(&id).collect();
        let slot = if index == 0 { "raw_files" } else { "normalized_rows" };
        let source = before.first().cloned().unwrap_or_else(|| "mission".to_owned());
        let path = format!("work/{lane:02}/{index:03}.{end}");
        json!({
            "id": id(index), "label": "Turn", "objective": "MUST keep every row", "depends_on": before,
            "adapter": adapter,
            "abstract_inputs": [{
                "slot": slot, "entity_schema_id": "generic.record", "accepted_kind_keys": [from], "from": source,
            }],
            "abstract_outputs": [{
                "slot": "normalized_rows", "entity_schema_id": "generic.record", "preferred_kind_keys": [to],
            }],
            "expected_outputs": [{ "path": path, "role": "intermediate" }],
        })
    };
    whole((0..lanes).flat_map(|lane| (0..steps).map(move |index| step(lane, index))).collect())
}

/// A script that makes so many calls, and writes down how long they took.
pub(crate) fn calls(count: usize) -> String {
    let source = format!(
        "import json, time\nfrom deed import call, tools\nrubric = [{{'id': 'a', 'text': 'a', 'rule': {{'==': [{{'var': 'derived.n'}}, {{'var': 'sources.n'}}]}}}}]\n\
         def timed(work):\n    began = time.perf_counter()\n    work()\n    return (time.perf_counter() - began) * 1e6\n\
         floor = sorted(timed(tools) for _ in range(300))\n\
         times = sorted(timed(lambda: call('artifact.evaluate', {{'bundle': {{'sources': {{'n': n}}, 'derived': {{'n': n}}}}, 'rubric': rubric}})) for n in range({count}))\n\
         json.dump({{'p50_us': times[len(times) // 2], 'p99_us': times[len(times) * 99 // 100], 'floor_us': floor[len(floor) // 2]}}, open('output/times.json', 'w'))\n"
    );
    whole(vec![json!({
        "id": "call", "label": "Call", "objective": "MUST call",
        "expected_outputs": [{ "path": "output/times.json" }],
        "artifact_contracts": { "output/times.json": { "format": "json", "kind_key": "object.json" } },
        "success_criteria": ["output/times.json exists"],
        "tool_needs": ["operator.artifact.evaluate"], "budget": { "governed_calls": count },
        "code": { "language": "python", "source": source },
    })])
}

/// A script that has so many things judged by a rule, and as many by a model, and writes down how long they took.
pub(crate) fn judged(count: usize) -> String {
    let source = format!(
        "import json, time\nfrom deed import call\nrule = [{{'id': 'a', 'text': 'a', 'rule': {{'==': [{{'var': 'derived.n'}}, {{'var': 'sources.n'}}]}}}}]\n\
         def timed(bundle, rubric):\n    began = time.perf_counter()\n    call('artifact.evaluate', {{'bundle': bundle, 'rubric': {{'criteria': rubric}}, 'enforcement': 'report'}})\n    return (time.perf_counter() - began) * 1e6\n\
         rules, models = [], []\n\
         for n in range({count}):\n    rules.append(timed({{'sources': {{'n': n}}, 'derived': {{'n': n}}}}, rule))\n    models.append(timed({{'sources': {{'text': 'It rains.'}}, 'derived': {{'n': n}}}}, ['no invented facts']))\n\
         json.dump({{'rule_us': sorted(rules)[{count} // 2], 'model_us': sorted(models)[{count} // 2]}}, open('output/times.json', 'w'))\n"
    );
    whole(vec![json!({
        "id": "judge", "label": "Judge", "objective": "MUST judge",
        "expected_outputs": [{ "path": "output/times.json" }],
        "artifact_contracts": { "output/times.json": { "format": "json", "kind_key": "object.json" } },
        "success_criteria": ["output/times.json exists"],
        "tool_needs": ["operator.artifact.evaluate"],
        "budget": { "wall_seconds": 600, "governed_calls": 4 * count, "model_tokens": 20_000 * count },
        "code": { "language": "python", "source": source },
    })])
}
