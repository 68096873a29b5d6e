//! Random requests against the registry and against a model of a few lines.

use super::fixture::*;
use deed_pack::{Candidate, PackState};
use deed_store::{Outcome, Registry, RegistryError};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const VERSIONS: [&str; 3] = ["1.0.0", "1.1.0", "2.0.0"];
const ENVIRONMENTS: [&str; 2] = ["prod", "stage"];

#[derive(Debug, Clone, Copy)]
enum Request {
    Lint(usize),
    Review(usize, usize),
    Sign(usize),
    Publish(usize),
    Pin(usize, usize),
    Deprecate(usize),
    Revoke(usize),
    Rotate,
}

fn requests() -> impl Strategy<Value = Vec<Request>> {
    let version = 0..VERSIONS.len();
    let one = prop_oneof![
        3 => version.clone().prop_map(Request::Lint),
        6 => (version.clone(), 0..ROLES.len()).prop_map(|(v, r)| Request::Review(v, r)),
        4 => version.clone().prop_map(Request::Sign),
        4 => version.clone().prop_map(Request::Publish),
        4 => (version.clone(), 0..ENVIRONMENTS.len()).prop_map(|(v, e)| Request::Pin(v, e)),
        1 => version.clone().prop_map(Request::Deprecate),
        1 => version.prop_map(Request::Revoke),
        1 => Just(Request::Rotate),
    ];
    proptest::collection::vec(one, 1..60)
}

/// The expected outcome of a request.
#[derive(Debug, PartialEq)]
enum Expected {
    Recorded,
    AlreadyDone,
    Refused,
}

#[derive(Default, Clone)]
struct Version {
    linted: bool,
    reviews: BTreeSet<usize>,
    /// The issuer's key that signed, by the order in which the keys were trusted.
    signed_by: BTreeSet<u8>,
    published: bool,
    deprecated: bool,
    revoked: bool,
}

#[derive(Default)]
struct Model {
    versions: [Version; 3],
    pins: BTreeMap<usize, usize>,
    rotations: u8,
}

impl Model {
    fn take(&mut self, request: Request) -> Expected {
        use Expected::{AlreadyDone, Recorded, Refused};
        let say = |allowed: bool, done: bool| match (allowed, done) {
            (false, _) => Refused,
            (true, true) => AlreadyDone,
            (true, false) => Recorded,
        };
        let key = self.rotations;
        match request {
            Request::Lint(v) => {
                let v = &mut self.versions[v];
                let expected = say(!v.revoked, v.linted);
                v.linted |= expected == Recorded;
                expected
            }
            Request::Review(v, role) => {
                let v = &mut self.versions[v];
                let expected = say(v.linted && !v.revoked, v.reviews.contains(&role));
                if expected == Recorded {
                    v.reviews.insert(role);
                }
                expected
            }
            Request::Sign(v) => {
                let v = &mut self.versions[v];
                let done = v.signed_by.contains(&key);
                let expected = say(v.linted && !v.revoked && v.reviews.len() == ROLES.len(), done);
                if expected == Recorded {
                    v.signed_by.insert(key);
                }
                expected
            }
            Request::Publish(v) => {
                let v = &mut self.versions[v];
                let expected = say(!v.revoked && (v.published || !v.signed_by.is_empty()), v.published);
                v.published |= expected == Recorded;
                expected
            }
            Request::Pin(v, environment) => {
                let version = &self.versions[v];
                let allowed = version.published && !version.deprecated && !version.revoked;
                let expected = say(allowed, self.pins.get(&environment) == Some(&v));
                if expected == Recorded {
                    self.pins.insert(environment, v);
                }
                expected
            }
            Request::Deprecate(v) => {
                let v = &mut self.versions[v];
                let expected = say(v.published && !v.revoked, v.deprecated);
                v.deprecated |= expected == Recorded;
                expected
            }
            Request::Revoke(v) => {
                let v = &mut self.versions[v];
                let expected = say(v.published, v.revoked);
                v.revoked |= expected == Recorded;
                expected
            }
            Request::Rotate => {
                self.rotations += 1;
                Recorded
            }
        }
    }

    fn state(&self, at: usize) -> Option<PackState> {
        let v = &self.versions[at];
        v.linted.then(|| match () {
            () if v.revoked => PackState::Revoked,
            () if v.deprecated => PackState::Deprecated,
            () if self.pins.values().any(|p| *p == at) => PackState::Pinned,
            () if v.published => PackState::Published,
            () if !v.signed_by.is_empty() => PackState::Signed,
            () if v.reviews.len() == ROLES.len() => PackState::Reviewed,
            () => PackState::Linted,
        })
    }
}

fn ask(registry: &Registry, packs: &[Candidate], request: Request, rotations: u8) -> Result<Outcome, RegistryError> {
    let signer_seed = 10 + rotations;
    match request {
        Request::Lint(v) => registry.record_lint(&packs[v], 0, &stamp()),
        Request::Review(v, r) => registry.record_review(&packs[v], &reviewed(&packs[v], ROLES[r], 2), &stamp()),
        Request::Sign(v) => registry.record_signature(&packs[v], &signed(&packs[v], signer_seed), &stamp()),
        Request::Publish(v) => registry.publish(&packs[v], &stamp()),
        Request::Pin(v, e) => registry.pin(packs[v].pack_ref(), ENVIRONMENTS[e], "acme", &[], &stamp()),
        Request::Deprecate(v) => registry.deprecate(packs[v].pack_ref(), "old", PinnedUse::TakenDown, &stamp()),
        Request::Revoke(v) => registry.revoke(packs[v].pack_ref(), "bad", PinnedUse::TakenDown, &stamp()),
        Request::Rotate => registry.trust_key(&signer(signer_seed + 1), Some(&key_id(signer_seed)), &stamp()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_registry_and_the_model_agree(requests in requests()) {
        let packs = VERSIONS.map(candidate);
        let (_dir, registry) = registry(&[]);
        registry.set_policy(&lenient(), "one person", &stamp()).unwrap();
        registry.trust_key(&signer(10), None, &stamp()).unwrap();
        registry.trust_key(&reviewer(2), None, &stamp()).unwrap();
        let mut model = Model::default();
        for request in requests {
            let outcome = ask(&registry, &packs, request, model.rotations);
            let found = match &outcome {
                Ok(Outcome::Recorded(_)) => Expected::Recorded,
                Ok(Outcome::AlreadyDone) => Expected::AlreadyDone,
                Err(_) => Expected::Refused,
            };
            prop_assert_eq!(found, model.take(request), "{:?}: {:?}", request, outcome);
        }
        let listed: BTreeMap<String, PackState> =
            registry.list().unwrap().into_iter().map(|l| (l.pack_ref.version.to_string(), l.state)).collect();
        for (at, version) in VERSIONS.iter().enumerate() {
            prop_assert_eq!(listed.get(*version).copied(), model.state(at));
        }
        for (at, environment) in ENVIRONMENTS.iter().enumerate() {
            let usable = model.pins.get(&at).filter(|v| {
                let version = &model.versions[**v];
                !version.deprecated && !version.revoked
            });
            let loaded = registry.load_pinned(environment, "ctxpack.desk", "acme").ok();
            let loaded = loaded.map(|l| l.candidate.pack_ref().version.to_string());
            prop_assert_eq!(loaded.as_deref(), usable.map(|v| VERSIONS[*v]));
        }
        let findings = registry.verify(None).unwrap().findings;
        prop_assert!(findings.is_empty(), "{:?}", findings);
    }
}
