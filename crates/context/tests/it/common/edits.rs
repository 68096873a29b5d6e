//! Single changes to recorded inputs, at random and always the same.

use deed_canon::Pointer;
use deed_model::BundleInputs;
use deed_testkit::Random;
use serde_json::{Value, json};

/// One change.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    /// The part and the pointer in it, `run/user/role` say, with `@order` and `@new` at the end for a changed order and
    /// an added field.
    pub(crate) place: String,
    /// In words.
    pub(crate) what: String,
}

impl Edit {
    /// The part of the seal that covers it.
    pub(crate) fn sealed(&self) -> &str {
        match self.place.split('/').next().unwrap() {
            "selected_overlays" => "overlays",
            part => part,
        }
    }
}

/// Whether a pattern covers a place.
pub(crate) fn matches(pattern: &str, place: &str) -> bool {
    fn go(pattern: &[&str], place: &[&str]) -> bool {
        match (pattern, place) {
            ([], []) => true,
            (["**"], _) => true,
            ([p, pattern @ ..], [s, place @ ..]) => (*p == "*" || p == s) && go(pattern, place),
            _ => false,
        }
    }
    go(&pattern.split('/').collect::<Vec<_>>(), &place.split('/').collect::<Vec<_>>())
}

/// The parts of a recording, each as often as it is chosen.
const PARTS: [&str; 20] = [
    "pack", "pack", "pack", "pack", "pack", "pack", "pack", "request", "request", "request", "request", "run", "run",
    "run", "run", "evidence", "evidence", "memory", "memory", "overlays",
];

/// Knows every place of some inputs.
pub(crate) struct Editor {
    original: BundleInputs,
    places: Vec<(&'static str, Vec<Vec<String>>)>,
}

impl Editor {
    pub(crate) fn of(inputs: &BundleInputs) -> Self {
        let mut places = Vec::new();
        for part in ["pack", "request", "run", "evidence", "memory"] {
            let value = part_of(inputs, part);
            // The layers of a pack are chosen with the same chance, however large they are.
            let groups = match (part, value) {
                ("pack", Value::Object(layers)) => layers.iter().map(|(name, layer)| under(name, layer)).collect(),
                (_, value) => vec![collect(value)],
            };
            places.push((part, groups));
        }
        let overlays = inputs.overlays.iter().map(|(name, overlay)| under(name, overlay)).collect();
        places.push(("overlays", overlays));
        Self { original: inputs.clone(), places }
    }

    /// Changes one thing; nothing where there was nothing to change.
    pub(crate) fn edit(&self, inputs: &mut BundleInputs, rng: &mut Random) -> Option<Edit> {
        let part = *rng.pick(&PARTS);
        if part == "overlays" && rng.below(4) == 0 {
            return select(inputs, rng);
        }
        if part == "pack" && rng.below(40) == 0 {
            inputs.pack["zz_added"] = json!(1);
            return Some(Edit { place: "pack/@new".to_owned(), what: "add".to_owned() });
        }
        let groups = &self.places.iter().find(|(name, _)| *name == part)?.1;
        if groups.is_empty() {
            return None;
        }
        let group: &Vec<String> = rng.pick(groups);
        let pointer = rng.pick(group).clone();
        let (whole, inside): (&mut Value, String) = match part {
            "overlays" => {
                let own = pointer.trim_start_matches('/');
                let (name, inside) = own.split_once('/').unwrap_or((own, ""));
                let inside = if inside.is_empty() { String::new() } else { format!("/{inside}") };
                (inputs.overlays.get_mut(name)?, inside)
            }
            "pack" => (&mut inputs.pack, pointer.clone()),
            "request" => (&mut inputs.request, pointer.clone()),
            "run" => (&mut inputs.run, pointer.clone()),
            "evidence" => (&mut inputs.evidence, pointer.clone()),
            _ => (&mut inputs.memory, pointer.clone()),
        };
        let (tail, what) = change(whole, &inside, rng)?;
        Some(Edit { place: format!("{part}{pointer}{tail}"), what })
    }

    /// Whether something is another than it was.
    pub(crate) fn is_changed(&self, inputs: &BundleInputs) -> bool {
        *inputs != self.original
    }

    /// Puts back what an edit changed.
    pub(crate) fn restore(&self, inputs: &mut BundleInputs) {
        let old = &self.original;
        let put = |now: &mut Value, then: &Value| {
            if now != then {
                now.clone_from(then);
            }
        };
        put(&mut inputs.pack, &old.pack);
        put(&mut inputs.request, &old.request);
        put(&mut inputs.run, &old.run);
        put(&mut inputs.evidence, &old.evidence);
        put(&mut inputs.memory, &old.memory);
        inputs.overlays.clone_from(&old.overlays);
        inputs.selected_overlays.clone_from(&old.selected_overlays);
    }
}

fn part_of<'i>(inputs: &'i BundleInputs, part: &str) -> &'i Value {
    match part {
        "pack" => &inputs.pack,
        "request" => &inputs.request,
        "run" => &inputs.run,
        "evidence" => &inputs.evidence,
        _ => &inputs.memory,
    }
}

fn under(name: &str, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    walk(value, Pointer::push("", name), &mut out);
    out
}

fn collect(value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    walk(value, String::new(), &mut out);
    out
}

fn walk(value: &Value, pointer: String, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| walk(value, Pointer::push(&pointer, key), out)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| walk(value, Pointer::push(&pointer, &i.to_string()), out));
        }
        _ => {}
    }
    out.push(pointer);
}

/// Adds, takes out or swaps selected overlays.
fn select(inputs: &mut BundleInputs, rng: &mut Random) -> Option<Edit> {
    let selected = &mut inputs.selected_overlays;
    let edit =
        |place: &str, what: &str| Some(Edit { place: format!("selected_overlays/{place}"), what: what.to_owned() });
    if selected.len() > 1 && rng.below(2) == 0 {
        selected.swap(0, 1);
        return edit("@order", "swap");
    }
    if !selected.is_empty() && rng.below(2) == 0 {
        let gone = rng.below(selected.len());
        selected.remove(gone);
        return edit(&gone.to_string(), "remove");
    }
    let name = inputs.overlays.keys().find(|name| !inputs.selected_overlays.contains(name))?.clone();
    inputs.selected_overlays.push(name);
    edit("0", "add")
}

/// Changes what stands at a pointer. Gives what is to be added to the place, and what was done.
fn change(whole: &mut Value, pointer: &str, rng: &mut Random) -> Option<(String, String)> {
    let said = |tail: &str, what: String| Some((tail.to_owned(), what));
    // Any field and any element may be taken out.
    if !pointer.is_empty() && rng.below(6) == 0 {
        let (parent, last) = pointer.rsplit_once('/')?;
        let last = last.replace("~1", "/").replace("~0", "~");
        match whole.pointer_mut(parent)? {
            Value::Object(fields) => {
                fields.remove(&last)?;
            }
            Value::Array(items) => {
                items.remove(last.parse().ok()?);
            }
            _ => return None,
        }
        return said("", "remove".to_owned());
    }
    let key = pointer.rsplit('/').next().unwrap_or_default().to_owned();
    let target = whole.pointer_mut(pointer)?;
    match target {
        Value::Null => None,
        Value::Bool(flag) => {
            *flag = !*flag;
            said("", format!("to {flag}"))
        }
        Value::Number(number) => {
            let float = number.as_f64()?;
            let integral = number.is_u64();
            let choices = [float + 1.0, float * 2.0, (float / 2.0).floor(), float * 10.0 + 3.0];
            let new = *rng.pick(&choices);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
            let new = if integral { json!(new as u64) } else { json!(new / 8.0) };
            *target = new.clone();
            said("", format!("to {new}"))
        }
        Value::String(text) => {
            let new = string(&key, text, rng);
            let what = format!("`{text}` to `{new}`");
            *text = new;
            said("", what)
        }
        Value::Array(items) => match rng.below(3) {
            0 if items.len() > 1 => {
                let (a, b) = (rng.below(items.len()), rng.below(items.len()));
                items.swap(a, b);
                said("/@order", format!("swap {a} and {b}"))
            }
            1 if !items.is_empty() => {
                let gone = rng.below(items.len());
                items.remove(gone);
                said(&format!("/{gone}"), format!("remove {gone}"))
            }
            _ => {
                let mut new = if items.is_empty() { json!("zz_added") } else { rng.pick(items).clone() };
                // Another one of its kind: the first text in it is another.
                rename(&mut new);
                let at = items.len();
                items.push(new);
                said(&format!("/{at}"), "add".to_owned())
            }
        },
        Value::Object(fields) => {
            let new = rng.pick(&[json!(7), json!("zz"), json!(true), json!({ "a": 1 })]).clone();
            let what = format!("add {new}");
            fields.insert("zz_added".to_owned(), new);
            said("/@new", what)
        }
    }
}

fn rename(value: &mut Value) {
    match value {
        Value::String(text) => text.push_str("_zz"),
        Value::Object(fields) => {
            let ids = [
                "evidence_ref",
                "id",
                "rule_id",
                "bundle_id",
                "gate_id",
                "adapter_id",
                "permission_id",
                "decision_key",
                "intent",
                "text",
            ];
            if let Some(Value::String(text)) =
                ids.into_iter().find(|id| fields.contains_key(*id)).and_then(|id| fields.get_mut(id))
            {
                text.push_str("_zz");
            }
        }
        Value::Number(_) => *value = json!(987_654),
        Value::Bool(flag) => *flag = !*flag,
        Value::Array(_) | Value::Null => {}
    }
}

const MODES: &[&str] = &["read_only", "local_write", "network", "delegated", "destructive"];
const LEVELS: &[&str] = &["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"];
const TIMES: &[&str] =
    &["2026-05-09T09:59:59Z", "2026-05-09T10:00:01Z", "2026-04-01T00:00:00Z", "2020-01-01T00:00:00Z"];

/// Another text, mostly of the kind that stands there.
fn string(key: &str, text: &str, rng: &mut Random) -> String {
    let other = match key {
        "approval_mode" | "safety_mode" => Some(MODES),
        "data_classification" | "max_classification" | "classification" => Some(LEVELS),
        "as_of" | "promoted_at" | "expires_at" | "retrieved_at" | "created_at" => Some(TIMES),
        "tokenizer" => Some(&["bytes/3", "bytes/5", "bytes/4.5"][..]),
        "type" => Some(&["OPENAPI", "INTERNAL", "MCP", "A2A"][..]),
        "tier" | "working" | "episodic" | "semantic" | "durable" if text.ends_with(['h', 'd']) => {
            Some(&["2h", "48h", "10d", "400d"][..])
        }
        "tier" => Some(&["working", "episodic", "semantic", "durable"][..]),
        "language" => Some(&["jsonlogic", "jsonlogic-compat", "de"][..]),
        "metric" => Some(&["policy", "safety", "utility", "latency_p99_ms", "economics_cents_per_decision"][..]),
        "version" | "pack_version" | "contract_version" => Some(&["1.0.1", "1.1.0", "2.0.0", "0.9.0"][..]),
        "intent" | "intent_id" => Some(&["support.refund", "support.status", "*"][..]),
        "subject" => Some(&["customer:cus_17", "customer:cus_99", "*", "agt_17"][..]),
        "tenant_id" => Some(&["tenant_acme_prod", "tenant_other"][..]),
        _ => None,
    };
    if let Some(choices) = other.filter(|_| rng.below(8) != 0) {
        return (*rng.pick(choices)).to_owned();
    }
    let mut characters: Vec<char> = text.chars().collect();
    match rng.below(4) {
        0 => characters.push('x'),
        1 if !characters.is_empty() => {
            let at = rng.below(characters.len());
            characters[at] = match characters[at] {
                c if c.is_ascii_digit() => char::from(b'0' + (c as u8 - b'0' + 1) % 10),
                'q' => 'w',
                _ => 'q',
            };
        }
        2 if characters.len() > 1 => {
            let at = rng.below(characters.len());
            characters.remove(at);
        }
        _ => return format!("zz {text}"),
    }
    characters.into_iter().collect()
}
