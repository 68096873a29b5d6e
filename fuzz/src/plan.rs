//! Plans: nothing panics, nothing hangs, and what compiles carries the hashes of its contents.
#![no_main]

use deed_catalog::builtin;
use deed_diag::{Document, Format, Style};
use deed_plan::{GraphFormat, explain, graph, lower, plan_hash, spec_hash};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the format, so that mutations of one seed reach both readers.
    let Some((first, rest)) = data.split_first() else { return };
    let format = if first % 2 == 0 { Format::Yaml } else { Format::Json };
    let Ok(document) = Document::read("plan", rest, format) else { return };
    let lowered = lower(&document, builtin().expect("the built-in catalogue is whole"));
    lowered.report.render(Style::Plain);
    let Some(plan) = lowered.compiled else { return };
    for step in &plan.steps {
        assert_eq!(spec_hash(step).expect("it was hashed before"), step.spec_hash);
        explain(&plan, &step.step_id).expect("each step can be explained").text();
    }
    assert_eq!(plan_hash(&plan).expect("it was hashed before"), plan.plan_hash);
    for format in [GraphFormat::Mermaid, GraphFormat::Dot, GraphFormat::Svg] {
        graph(&plan, format);
    }
});
