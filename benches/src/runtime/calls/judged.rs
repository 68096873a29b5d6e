//! A model that judges inside of a run: compiled from the pinned pack, reserved, journalled and settled, as the step sees it.

use super::server::Server;
use super::{Bench, Outcome, folder, middle, plans};
use crate::table::{Table, times};
use deed_model::{Classification, FROZEN_MODELS_VERSION, FrozenEndpoint, FrozenModels, ProfileSnapshot};
use deed_profile::{ProfileFile, ResolveInputs, resolve};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

/// Judgements of each kind.
const COUNT: usize = 200;
const PROFILE: &str = "profile_id: bench\nversion: 1.0.0\nconsumer_bindings: { operator_evaluator: { model_binding_ref: \"llamacpp:bench\", runtime_overrides: { max_tokens: 500 } } }\n";

/// The reply of a model that judged the one criterion.
fn verdict() -> String {
    let evidence = json!([{"path": "text", "quote": "It rains."}]);
    let criterion =
        json!({"criterion": "no invented facts", "verdict": "pass", "reason": "it says so", "evidence": evidence});
    json!({"verdict": "pass", "criteria": [criterion]}).to_string()
}

/// What a run freezes to ask a server.
fn frozen(port: u16) -> Result<(ProfileSnapshot, FrozenModels), Box<dyn Error>> {
    let file = ProfileFile::read("bench.yaml", PROFILE.as_bytes()).map_err(|_| "the profile cannot be read")?;
    let resolved = resolve(&ResolveInputs {
        profile: &file,
        governed: None,
        workspace: None,
        objects: deed_profile::Objects::default(),
    });
    let snapshot = resolved.map_err(|_| "the profile cannot be resolved")?.snapshot;
    let rule =
        json!({"scheme": "http", "host": "127.0.0.1", "port": port, "methods": ["POST"], "private_addresses": true});
    let base_url = format!("http://127.0.0.1:{port}");
    let endpoint = FrozenEndpoint { base_url, local: true, rule: serde_json::from_value(rule)? };
    let price = json!({"model": "llamacpp:bench", "input": 1_000_000, "output": 2_000_000});
    let prices = json!({"format": 1, "dated": "2026-01-01", "currency": "USD", "models": [price]});
    let frozen = FrozenModels {
        version: FROZEN_MODELS_VERSION,
        tenant_id: "acme".to_owned(),
        classification: Classification::Internal,
        pack: deed_desk::builtin_pack(),
        endpoints: BTreeMap::from([("llamacpp".to_owned(), endpoint)]),
        prices: serde_json::from_value(prices)?,
    };
    Ok((snapshot, frozen))
}

/// Judgements by a model, beyond those by a rule and the bare exchange with the same server.
pub(super) fn judged(table: &mut Table) -> Outcome {
    let folder = folder()?;
    let letters: Vec<char> = verdict().chars().collect();
    let pieces: Vec<String> = letters.chunks(5).map(|piece| piece.iter().collect()).collect();
    let server = Server::start(&pieces.iter().map(String::as_str).collect::<Vec<_>>())?;
    let mut bench = Bench::open(&folder.path().join("judged"))?;
    bench.judge = Some(frozen(server.port)?);
    bench.run(&plans::judged(COUNT), 1)?;
    let told = bench.output("output/times.json")?;
    let body = vec![b'x'; 8_000];
    let mut bare = Vec::new();
    for _ in 0..COUNT {
        let began = Instant::now();
        server.exchange(&body)?;
        bare.push(began.elapsed());
    }
    let micros = |name: &str| told.get(name).and_then(Value::as_f64).unwrap_or(f64::MAX);
    let of = |name: &str| Duration::from_secs_f64(micros(name) / 1e6);
    let (model, rule, bare) = (of("model_us"), of("rule_us"), middle(bare));
    let more = model.saturating_sub(rule).saturating_sub(bare);
    table.row(
        "a model that judges in a run, beyond rule and wire",
        more,
        &format!("by a rule {:.0} us, the exchange {:.0} us", rule.as_secs_f64() * 1e6, bare.as_secs_f64() * 1e6),
        format!("{:.2}x", times(model, rule + bare)),
        "-",
        true,
    );
    Ok(())
}
