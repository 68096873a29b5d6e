use super::super::*;
use super::fixture::*;
use deed_canon::Envelope;
use serde_json::json;

fn reviews(pack: &Candidate) -> Vec<Envelope> {
    ROLES.into_iter().map(|role| reviewed(pack, role, 2)).collect()
}

#[test]
fn a_stranger_can_verify_with_the_trust_store_alone() {
    let (value, overlay) = with_overlay("1.0.0", "de");
    let pack = Candidate::new(&value, std::slice::from_ref(&overlay)).unwrap();
    let store = Book::new().trusted().store();
    let overlays = [overlay];
    let proof = verify_offline(&value, &overlays, &[], &signed(&pack, 1), &reviews(&pack), &store).unwrap();
    assert_eq!((&proof.pack_ref, &proof.signer), (pack.pack_ref(), &key(1).public().id()));
    assert_eq!((proof.reviews.len(), proof.proved.len(), proof.not_proved.len()), (2, 5, 5));

    let mut changed = value.clone();
    changed["pack_meta"]["ttl_seconds"] = json!(1);
    let found = verify_offline(&changed, &overlays, &[], &signed(&pack, 1), &reviews(&pack), &store);
    refused(found, &["D1307", "D1202", "D1202"]);
    refused(verify_offline(&value, &overlays, &[], &signed(&pack, 1), &[], &store), &["D1202", "D1202"]);
    let newer = deed_model::TrustStore { format: 2, ..store };
    refused(verify_offline(&value, &overlays, &[], &signed(&pack, 1), &reviews(&pack), &newer), &["D1312"]);
}

#[test]
fn what_cannot_be_known_of_a_retired_key_is_said() {
    let pack = candidate("1.0.0");
    let mut book = Book::new();
    book.trust(signer(3, "acme"), Some(key(1).public().id())).unwrap();
    let store = book.trusted().store();
    let proof = verify_offline(pack.document(), &[], &[], &signed(&pack, 1), &reviews(&pack), &store).unwrap();
    assert!(proof.not_proved.iter().any(|n| n.contains("before it was retired")));
    book.revoke_key(&key(1).public().id(), "stolen").unwrap();
    let store = book.trusted().store();
    refused(verify_offline(pack.document(), &[], &[], &signed(&pack, 1), &reviews(&pack), &store), &["D1302"]);
}

#[test]
fn a_store_that_pairs_an_id_with_another_key_proves_nothing() {
    let pack = candidate("1.0.0");
    let mut store = Book::new().trusted().store();
    let at = store.keys.iter().position(|k| k.may_sign).unwrap();
    store.keys[at].public_key = key(9).public();
    let found = verify_offline(pack.document(), &[], &[], &signed(&pack, 9), &reviews(&pack), &store);
    refused(found, &["D1313"]);
}
