use super::super::*;
use super::fixture::*;
use deed_model::{RegistryEvent, RegistryPolicy, ReviewRole, SelfReview, TrustedKey};
use serde_json::json;

fn strict() -> RegistryPolicy {
    RegistryPolicy { required_roles: ROLES.to_vec(), self_review: SelfReview::Refused }
}

/// A registry that separates duties. Keys 1 and 2 belong to Ann; keys 3 and 4 name no person.
fn book() -> Book {
    let mut book = Book::default();
    book.set_policy(strict(), "two pairs of eyes").unwrap();
    for seed in [1, 2, 3, 4] {
        let person = (seed < 3).then(|| "Ann <ann@acme.example>".to_owned());
        book.trust(TrustedKey { person, ..grant(seed, "acme", true, &ROLES) }, None).unwrap();
    }
    book
}

/// Reviews with the first two keys, and a signature with the third.
fn signed_by(first: u8, second: u8, signer: u8) -> Result<Transition, Vec<deed_diag::Diagnostic>> {
    let pack = candidate("1.0.0");
    let mut book = book();
    book.lint(&pack).unwrap();
    book.review(&pack, &reviewed(&pack, ROLES[0], first)).unwrap();
    book.review(&pack, &reviewed(&pack, ROLES[1], second)).unwrap();
    book.sign(&pack, &signed(&pack, signer))
}

#[test]
fn one_person_does_not_review_and_sign_alone() {
    refused(signed_by(3, 3, 3), &["D1217"]);
    refused(signed_by(3, 3, 4), &["D1217"]);
    refused(signed_by(1, 2, 3), &["D1217"]);
    refused(signed_by(1, 2, 1), &["D1217"]);
    assert!(signed_by(3, 4, 4).is_ok());
    assert!(signed_by(1, 3, 2).is_ok());
}

#[test]
fn a_second_reviewer_in_a_role_is_enough() {
    let pack = candidate("1.0.0");
    let mut book = book();
    book.lint(&pack).unwrap();
    for role in ROLES {
        book.review(&pack, &reviewed(&pack, role, 3)).unwrap();
    }
    refused(book.sign(&pack, &signed(&pack, 3)), &["D1217"]);
    book.review(&pack, &reviewed(&pack, ROLES[0], 4)).unwrap();
    book.sign(&pack, &signed(&pack, 3)).unwrap();
    let signed = book.events.last().unwrap();
    assert!(matches!(&signed.event, RegistryEvent::PackSigned { policy: Some(policy), .. } if *policy == strict()));
}

#[test]
fn self_review_is_allowed_on_record() {
    let pack = candidate("1.0.0");
    let mut book = book();
    let allowed = RegistryPolicy { self_review: SelfReview::Allowed, ..strict() };
    refused(book.set_policy(allowed.clone(), " "), &["D1208"]);
    book.set_policy(allowed.clone(), "one person").unwrap();
    assert_eq!(book.set_policy(allowed, "again"), Ok(Transition::AlreadyDone));
    book.lint(&pack).unwrap();
    for role in ROLES {
        book.review(&pack, &reviewed(&pack, role, 3)).unwrap();
    }
    book.sign(&pack, &signed(&pack, 3)).unwrap();
}

#[test]
fn a_pack_cannot_ask_for_fewer_reviews_than_the_registry() {
    let pack = candidate("1.0.0");
    let mut book = book();
    book.set_policy(RegistryPolicy::default(), "all four").unwrap();
    book.lint(&pack).unwrap();
    book.review(&pack, &reviewed(&pack, ROLES[0], 3)).unwrap();
    book.review(&pack, &reviewed(&pack, ROLES[1], 4)).unwrap();
    refused(book.sign(&pack, &signed(&pack, 3)), &["D1216"]);
    // More than the registry demands is the pack's own business.
    let mut value = document("2.0.0", "answers tickets");
    value["policy_layer"]["review_policy"] = json!({ "required_roles": ["security", "data", "evaluation"] });
    let more = Candidate::new(&value, &[]).unwrap();
    book.set_policy(strict(), "two").unwrap();
    book.lint(&more).unwrap();
    book.review(&more, &reviewed(&more, ROLES[0], 3)).unwrap();
    book.review(&more, &reviewed(&more, ROLES[1], 4)).unwrap();
    refused(book.sign(&more, &signed(&more, 3)), &["D1202"]);
    assert_eq!(more.required_reviews(), [ReviewRole::Security, ReviewRole::Data, ReviewRole::Evaluation]);
}

#[test]
fn without_a_policy_event_the_default_holds() {
    let state = PolicyState::default();
    assert_eq!(
        state.policy,
        RegistryPolicy { required_roles: ReviewRole::ALL.to_vec(), self_review: SelfReview::Refused }
    );
    assert!(!state.judged);
}
