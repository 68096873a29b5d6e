//! Loading a pinned pack from the registry, with everything on the way verified.

use crate::packs::support;
use crate::table::{Table, median, times};
use deed_canon::SigningKey;
use deed_model::{KeyStatus, RegistryPolicy, ReviewRole, SelfReview, TrustedKey};
use deed_pack::{Candidate, review_statement, signature_statement};
use deed_store::{Registry, RegistryError, Stamp};
use std::error::Error;
use std::time::Duration;

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let dir = folder.path().join("registry");
    let registry = Registry::create(&dir)?;
    let key = SigningKey::from_seed(&[3; 32]);
    let candidate = publish(&registry, &key)?;
    // The floor: the five signatures alone, one of the issuer and four of reviewers.
    let envelope = signature_statement(&candidate)?.sign(&key)?;
    let public = key.public();
    let floor = median(51, 4, || {
        (0..5).filter(|_| envelope.verify(deed_canon::IN_TOTO_PAYLOAD_TYPE, |_| Some(public.clone())).is_ok()).count()
    });
    let against = format!("five signatures verified, {} us", floor.as_micros());
    let mut row = |what: &str, time: Duration| {
        table.row(
            what,
            time,
            &against,
            format!("{:.2}x", times(time, floor)),
            "below 2 ms",
            time < Duration::from_millis(2),
        );
    };
    row("load and verify a pinned pack, registry open", median(51, 4, || load(&registry)));
    row("load and verify a pinned pack, registry opened anew", median(51, 4, || load(&Registry::open(&dir)?)));
    let mut other = support()?;
    for i in 0..2_000 {
        if let Some(version) = other.pointer_mut("/pack_meta/pack_version") {
            *version = format!("2.0.{i}").into();
        }
        registry.record_lint(&Candidate::new(&other, &[]).map_err(|d| format!("{d:?}"))?, 0, &stamp())?;
    }
    row("the same with 2,000 events of other versions in the log", median(51, 4, || load(&registry)));
    Ok(())
}

fn load(registry: &Registry) -> Result<usize, RegistryError> {
    registry.load_pinned("prod", "ctxpack.support", "tenant_acme_prod").map(|p| p.candidate.bytes().len())
}

fn stamp() -> Stamp {
    Stamp { at: "2026-11-15T00:00:00Z".to_owned(), actor: "bench".to_owned(), began: None }
}

fn publish(registry: &Registry, key: &SigningKey) -> Result<Candidate, Box<dyn Error>> {
    let candidate = Candidate::new(&support()?, &[]).map_err(|d| format!("{d:?}"))?;
    let trusted = TrustedKey {
        person: None,
        key_id: key.public().id(),
        public_key: key.public(),
        issuer: candidate.issuer().to_owned(),
        may_sign: true,
        review_roles: ReviewRole::ALL.to_vec(),
        status: KeyStatus::Active,
    };
    let policy = RegistryPolicy { self_review: SelfReview::Allowed, ..RegistryPolicy::default() };
    registry.set_policy(&policy, "one key in a measurement", &stamp())?;
    registry.trust_key(&trusted, None, &stamp())?;
    registry.record_lint(&candidate, 0, &stamp())?;
    for role in ReviewRole::ALL {
        registry.record_review(&candidate, &review_statement(&candidate, role, None)?.sign(key)?, &stamp())?;
    }
    registry.record_signature(&candidate, &signature_statement(&candidate)?.sign(key)?, &stamp())?;
    registry.publish(&candidate, &stamp())?;
    registry.pin(candidate.pack_ref(), "prod", candidate.tenant_id(), &[], &stamp())?;
    load(registry)?;
    Ok(candidate)
}
