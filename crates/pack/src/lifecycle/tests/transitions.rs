use super::super::*;
use super::fixture::*;
use deed_model::{RegistryEvent, ReviewRole};
use serde_json::json;

#[test]
fn a_version_goes_from_draft_to_pinned_and_ends_revoked() {
    let pack = candidate("1.0.0");
    let mut book = Book::new();
    let mut seen = vec![book.state_of(&pack)];
    book.lint(&pack).unwrap();
    seen.push(book.state_of(&pack));
    for role in ROLES {
        book.review(&pack, &reviewed(&pack, role, 2)).unwrap();
    }
    seen.push(book.state_of(&pack));
    book.sign(&pack, &signed(&pack, 1)).unwrap();
    seen.push(book.state_of(&pack));
    book.publish(&pack).unwrap();
    seen.push(book.state_of(&pack));
    book.pin(&pack, "acme", "prod").unwrap();
    seen.push(book.state_of(&pack));
    book.deprecate(&pack, "superseded").unwrap();
    seen.push(book.state_of(&pack));
    book.revoke(&pack, "leaks").unwrap();
    seen.push(book.state_of(&pack));
    use PackState::{Deprecated, Draft, Linted, Pinned, Published, Reviewed, Revoked, Signed};
    assert_eq!(seen, [Draft, Linted, Reviewed, Signed, Published, Pinned, Deprecated, Revoked]);
    assert!(seen.is_sorted());
}

#[test]
fn every_step_needs_the_one_before() {
    let pack = candidate("1.0.0");
    let mut book = Book::new();
    refused(book.review(&pack, &reviewed(&pack, ReviewRole::Data, 2)), &["D1201"]);
    refused(book.sign(&pack, &signed(&pack, 1)), &["D1201"]);
    refused(book.pin(&pack, "acme", "prod"), &["D1205"]);
    refused(book.deprecate(&pack, "old"), &["D1205"]);
    refused(book.revoke(&pack, "bad"), &["D1205"]);
    book.lint(&pack).unwrap();
    refused(book.sign(&pack, &signed(&pack, 1)), &["D1202", "D1202"]);
    book.review(&pack, &reviewed(&pack, ReviewRole::Data, 2)).unwrap();
    refused(book.sign(&pack, &signed(&pack, 1)), &["D1202"]);
    book.review(&pack, &reviewed(&pack, ReviewRole::Security, 2)).unwrap();
    refused(book.publish(&pack), &["D1203"]);
    refused(book.pin(&pack, "acme", "prod"), &["D1205"]);
}

#[test]
fn a_pack_that_does_not_say_needs_all_four_reviews() {
    let mut value = document("1.0.0", "answers tickets");
    value["policy_layer"].as_object_mut().unwrap().remove("review_policy");
    let pack = Candidate::new(&value, &[]).unwrap();
    let mut book = Book::new();
    book.lint(&pack).unwrap();
    refused(book.sign(&pack, &signed(&pack, 1)), &["D1202"; 4]);
}

#[test]
fn doing_it_again_is_nothing_new() {
    let pack = candidate("1.0.0");
    let mut book = Book::signed(&pack);
    book.publish(&pack).unwrap();
    book.pin(&pack, "acme", "prod").unwrap();
    let before = book.events.len();
    assert_eq!(book.trust(signer(1, "acme"), None), Ok(Transition::AlreadyDone));
    assert_eq!(book.lint(&pack), Ok(Transition::AlreadyDone));
    assert_eq!(book.review(&pack, &reviewed(&pack, ReviewRole::Data, 2)), Ok(Transition::AlreadyDone));
    assert_eq!(book.sign(&pack, &signed(&pack, 1)), Ok(Transition::AlreadyDone));
    assert_eq!(book.publish(&pack), Ok(Transition::AlreadyDone));
    assert_eq!(book.pin(&pack, "acme", "prod"), Ok(Transition::AlreadyDone));
    assert_eq!(book.events.len(), before);
}

#[test]
fn the_same_version_with_other_bytes_is_refused() {
    let pack = candidate("1.0.0");
    let other = Candidate::new(&document("1.0.0", "answers calls"), &[]).unwrap();
    let mut book = Book::signed(&pack);
    book.ready(&other);
    book.publish(&pack).unwrap();
    refused(book.publish(&other), &["D1204"]);
    refused(book.lint(&other), &["D1204"]);
    refused(book.review(&other, &reviewed(&other, ReviewRole::Data, 2)), &["D1204"]);
}

#[test]
fn the_same_version_with_other_overlays_is_refused() {
    let (value, overlay) = with_overlay("1.0.0", "de");
    let (_, other) = with_overlay("1.0.0", "fr");
    let pack = Candidate::new(&value, &[overlay]).unwrap();
    let other = Candidate::new(&value, &[other]).unwrap();
    assert_eq!(pack.content_hash(), other.content_hash());
    let mut book = Book::signed(&pack);
    // The reviews and the signature were over the first overlay.
    refused(book.publish(&other), &["D1307"]);
    book.publish(&pack).unwrap();
    refused(book.publish(&other), &["D1204"]);
}

#[test]
fn overlays_must_be_the_declared_ones() {
    let (value, overlay) = with_overlay("1.0.0", "de");
    refused(Candidate::new(&value, &[]), &["D1213"]);
    refused(Candidate::new(&document("1.0.0", "x"), std::slice::from_ref(&overlay)), &["D1213"]);
    let mut foreign = overlay.clone();
    foreign["base"] = json!("ctxpack.desk@2.0.0");
    refused(Candidate::new(&value, &[foreign]), &["D1213"]);
    refused(Candidate::new(&json!({}), &[]), &["D1212"]);
}

#[test]
fn a_rollback_is_a_pin_of_a_lower_version() {
    let (one, two) = (candidate("1.0.0"), candidate("1.1.0"));
    let mut book = Book::signed(&one);
    book.ready(&two);
    for pack in [&one, &two] {
        book.publish(pack).unwrap();
        book.pin(pack, "acme", "prod").unwrap();
    }
    let back = book.environment("acme", "prod").previous().unwrap().pack_ref.clone();
    assert_eq!(back, pack_ref("ctxpack.desk@1.0.0"));
    let Transition::Append(event) = book.pin(&one, "acme", "prod").unwrap() else { panic!("nothing was pinned") };
    assert!(
        matches!(*event, RegistryEvent::PackPinned { rollback: true, replaces: Some(r), .. } if r == *two.pack_ref())
    );
    assert_eq!(book.state_of(&one), PackState::Pinned);
    assert_eq!(book.state_of(&two), PackState::Published);
    assert_eq!(book.state().pack(two.pack_ref()), book.history(&two));
    assert_eq!(book.state().pack(one.pack_ref()), book.history(&one));
}

#[test]
fn another_tenant_cannot_pin_what_is_not_shared() {
    let pack = candidate("1.0.0");
    let mut value = document("2.0.0", "answers tickets");
    value["pack_meta"]["shared"] = json!(true);
    let shared = Candidate::new(&value, &[]).unwrap();
    let mut book = Book::signed(&pack);
    book.ready(&shared);
    book.publish(&pack).unwrap();
    book.publish(&shared).unwrap();
    refused(book.pin(&pack, "globex", "prod"), &["D1209"]);
    book.pin(&pack, "acme", "prod").unwrap();
    book.pin(&shared, "globex", "prod").unwrap();
    // Each tenant has its own `prod`.
    assert_eq!(book.environment("acme", "prod").current().unwrap().pack_ref, *pack.pack_ref());
    assert_eq!(book.environment("globex", "prod").current().unwrap().pack_ref, *shared.pack_ref());
    refused(book.pin(&shared, "globex", "Prod:1"), &["D1210"]);
}

#[test]
fn endings_need_reasons_and_stay() {
    let pack = candidate("1.0.0");
    let mut book = Book::signed(&pack);
    book.publish(&pack).unwrap();
    refused(book.deprecate(&pack, " "), &["D1208"]);
    refused(book.revoke(&pack, ""), &["D1208"]);
    book.deprecate(&pack, "superseded").unwrap();
    refused(book.pin(&pack, "acme", "prod"), &["D1206"]);
    assert!(may_use(&book.history(&pack), Purpose::Replay).is_ok());
    book.revoke(&pack, "leaks").unwrap();
    refused(may_use(&book.history(&pack), Purpose::Replay).cloned(), &["D1207"]);
    refused(book.pin(&pack, "acme", "prod"), &["D1207"]);
    refused(book.deprecate(&pack, "again"), &["D1207"]);
    refused(book.revoke(&pack, "again"), &["D1207"]);
    assert_eq!(book.revoke(&pack, "leaks"), Ok(Transition::AlreadyDone));
    assert_eq!(book.history(&pack).revocation.unwrap().reason, "leaks");
}
