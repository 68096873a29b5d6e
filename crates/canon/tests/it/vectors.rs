//! The vectors that another language can recompute, and the RFC's own.

use deed_canon::{
    Envelope, Link, PublicKey, SigningKey, Statement, append, derive_id, hash, parse, to_canonical, verify_chain,
};
use serde_json::Value;
use std::path::Path;

fn vectors() -> Value {
    parse(&std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/canon.json")).unwrap()).unwrap()
}

#[test]
fn canonical_bytes_hashes_and_ids() {
    for case in vectors()["documents"].as_array().unwrap() {
        let value = parse(case["input"].as_str().unwrap().as_bytes()).unwrap();
        assert_eq!(String::from_utf8(to_canonical(&value).unwrap()).unwrap(), case["canonical"].as_str().unwrap());
        let digest = hash(&case["tag"].as_str().unwrap().parse().unwrap(), &value).unwrap();
        assert_eq!(digest.to_string(), case["hash"].as_str().unwrap());
        assert_eq!(derive_id("id", &digest), case["id"].as_str().unwrap());
    }
}

#[test]
fn refusals() {
    for case in vectors()["refused"].as_array().unwrap() {
        parse(case.as_str().unwrap().as_bytes()).unwrap_err();
    }
}

#[test]
fn signatures_and_envelopes() {
    let case = &vectors()["envelope"];
    let key = SigningKey::from_pem(case["private_key_pem"].as_str().unwrap()).unwrap();
    assert_eq!(key.public().to_string(), case["public_key"].as_str().unwrap());
    assert_eq!(key.public().id().to_string(), case["key_id"].as_str().unwrap());
    let statement: Statement = serde_json::from_value(case["statement"].clone()).unwrap();
    let envelope = statement.sign(&key).unwrap();
    assert_eq!(serde_json::to_value(&envelope).unwrap(), case["envelope"]);
    let known: PublicKey = case["public_key"].as_str().unwrap().parse().unwrap();
    let (opened, signers) = Statement::open(&envelope, |_| Some(known.clone())).unwrap();
    assert_eq!((opened, signers), (statement, vec![known.id()]));
}

#[test]
fn an_envelope_over_other_bytes_or_by_nobody_known_is_refused() {
    let case = &vectors()["envelope"];
    let known: PublicKey = case["public_key"].as_str().unwrap().parse().unwrap();
    let envelope: Envelope = serde_json::from_value(case["envelope"].clone()).unwrap();
    let mut other = envelope.clone();
    other.payload = base64_of(b"{\"_type\":\"x\"}");
    assert!(Statement::open(&other, |_| Some(known.clone())).unwrap_err().to_string().contains("over other bytes"));
    assert!(Statement::open(&envelope, |_| None).unwrap_err().to_string().contains("known here"));
    let mut unsigned = envelope;
    unsigned.signatures.clear();
    assert!(Statement::open(&unsigned, |_| Some(known.clone())).unwrap_err().to_string().contains("no signature"));
    // Signed well, but not in canonical form: two readers could see two statements.
    let key = SigningKey::from_pem(case["private_key_pem"].as_str().unwrap()).unwrap();
    let loose = Envelope::sign(deed_canon::IN_TOTO_PAYLOAD_TYPE, b"{ \"a\": 1 }", &key);
    assert!(Statement::open(&loose, |_| Some(known.clone())).unwrap_err().to_string().contains("canonical"));
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn the_chain() {
    let links: Vec<Link> = serde_json::from_value(vectors()["chain"].clone()).unwrap();
    assert_eq!(verify_chain(&links, Some(&links.last().unwrap().head())), Ok(()));
    let mut rebuilt: Vec<Link> = Vec::new();
    for link in &links {
        let head = rebuilt.last().map(Link::head);
        rebuilt.push(append(head.as_ref(), link.body.clone()).unwrap());
    }
    assert_eq!(rebuilt, links);
}

#[test]
fn the_vectors_of_rfc_8785() {
    let Some(data) = deed_testkit::corpus("jcs/testdata") else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(data.join("input")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let canonical = to_canonical(&parse(&std::fs::read(&path).unwrap()).unwrap()).unwrap();
        assert_eq!(canonical, std::fs::read(data.join(format!("output/{name}.json"))).unwrap(), "{name}");
        let hex = std::fs::read_to_string(data.join(format!("outhex/{name}.txt"))).unwrap();
        let bytes: Vec<u8> = hex.split_whitespace().map(|b| u8::from_str_radix(b, 16).unwrap()).collect();
        assert_eq!(canonical, bytes, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 6, "all of the RFC's vectors were there");
}

/// Recomputes the vectors with nothing but what Node ships, to show that another language can.
#[test]
fn another_language_agrees() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/check.mjs");
    match std::process::Command::new("node").arg(script).output() {
        Ok(out) => assert!(
            out.status.success(),
            "{}{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        ),
        Err(_) => eprintln!("skipped: node is not installed, so the vectors were not recomputed in another language"),
    }
}
