//! Text that a model reads is never a patch: whatever changes a prompt counts at least as minor in a diff.

use crate::common::{Given, bundle};
use deed_context::{Hydrated, compile, render_prompt, tokenizer};
use deed_diag::{Document, Format};
use deed_pack::{Bundle, ChangeClass, Selection, diff, resolve};
use serde_json::{Value, json};

/// The prompts of a pack for some requests; `None` where one cannot be compiled.
fn prompts(bundle: &Bundle, given: &[Given]) -> Option<Vec<String>> {
    let resolved = resolve(bundle, &bundle.typed()?, &Selection::Named(Vec::new())).ok()?;
    let pack = Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).ok()?;
    given
        .iter()
        .map(|one| compile(&pack, one.inputs()).into_result().ok().map(|c| render_prompt(&c.compiled_prompt)))
        .collect()
}

/// The requests of the golden cases that compile without overlays.
fn requests(own: &Bundle) -> Vec<Given> {
    let cases = own.golden.iter().map(Document::value).filter(|case| case.get("overlays").is_none());
    let given = cases.filter_map(|case| {
        let mut run = case["run"].clone();
        run["tokenizer"] = json!("bytes/4");
        let list = |name: &str| case.get(name).cloned().unwrap_or_else(|| json!([]));
        let given = Given::of(case["request"].clone(), run, list("evidence"), list("memory"));
        prompts(own, std::slice::from_ref(&given)).map(|_| given)
    });
    given.collect()
}

fn texts(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| texts(v, &format!("{at}/{i}"), out)),
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(k, v)| texts(v, &format!("{at}/{}", k.replace('~', "~0").replace('/', "~1")), out));
        }
        Value::String(_) => out.push(at.to_owned()),
        _ => {}
    }
}

fn read(value: &Value, own: &Bundle) -> Bundle {
    let document = Document::read("pack.json", value.to_string().as_bytes(), Format::Json).unwrap();
    Bundle::new(document, own.overlays.clone(), Vec::new())
}

#[test]
fn whatever_changes_a_prompt_is_at_least_minor() {
    for folder in ["packs/support", "packs/grid"] {
        let own = bundle(folder);
        let given = requests(&own);
        assert!(given.len() >= 5, "{folder}: {} requests", given.len());
        let value = own.document.value().clone();
        let base = read(&value, &own);
        let before = prompts(&base, &given).unwrap();
        let mut pointers = Vec::new();
        texts(&value, "", &mut pointers);
        let mut reached = Vec::new();
        for pointer in pointers.iter().filter(|p| *p != "/pack_meta/pack_version") {
            let mut changed = value.clone();
            let slot = changed.pointer_mut(pointer).unwrap();
            *slot = json!(format!("{} otherwise", slot.as_str().unwrap()));
            let after = read(&changed, &own);
            let (Some(now), Ok(found)) = (prompts(&after, &given), diff(&base, &after, &[])) else { continue };
            if now != before {
                reached.push(pointer.clone());
                assert!(found.required >= Some(ChangeClass::Minor), "{folder} {pointer}: {:?}", found.changes);
            }
        }
        // The texts of the table in docs/packs.md.
        for text in ["/rationale", "/summary/what_we_do", "/non_negotiables/0", "/do/0"] {
            assert!(reached.iter().any(|p| p.contains(text)), "{folder}: no {text} among {reached:?}");
        }
    }
}
