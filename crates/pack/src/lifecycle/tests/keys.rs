use super::super::*;
use super::fixture::*;
use deed_model::{KeyStatus, ReviewRole};

#[test]
fn a_key_has_one_grant_for_life() {
    let mut book = Book::new();
    refused(book.trust(signer(1, "globex"), None), &["D1310"]);
    let mut foreign = signer(3, "acme");
    foreign.key_id = signer(4, "acme").key_id;
    refused(book.trust(foreign, None), &["D1309"]);
    refused(book.trust(signer(3, "acme"), Some(signer(9, "acme").key_id)), &["D1311"]);
    refused(book.trust(signer(3, "globex"), Some(signer(1, "acme").key_id)), &["D1311"]);
    refused(book.revoke_key(&signer(9, "acme").key_id, "lost"), &["D1311"]);
    refused(book.revoke_key(&signer(1, "acme").key_id, ""), &["D1208"]);
}

#[test]
fn what_a_retired_key_signed_before_still_holds_and_nothing_new_does() {
    let (one, two, three) = (candidate("1.0.0"), candidate("2.0.0"), candidate("3.0.0"));
    let mut book = Book::signed(&one);
    book.ready(&two);
    book.publish(&one).unwrap();
    book.trust(signer(3, "acme"), Some(key(1).public().id())).unwrap();
    assert_eq!(book.proof(&one).unwrap().signer, key(1).public().id());
    // Signed before, published after: the signature was made while it could be.
    book.publish(&two).unwrap();
    book.lint(&three).unwrap();
    for role in three.required_reviews() {
        book.review(&three, &reviewed(&three, role, 2)).unwrap();
    }
    refused(book.sign(&three, &signed(&three, 1)), &["D1303"]);
    book.sign(&three, &signed(&three, 3)).unwrap();
    book.publish(&three).unwrap();
    let store = book.trusted().store();
    let old = store.keys.iter().find(|k| k.key_id == key(1).public().id()).unwrap();
    assert_eq!(old.status, KeyStatus::Retired { replaced_by: key(3).public().id() });
    refused(book.trust(signer(1, "acme"), None), &["D1310"]);
}

#[test]
fn a_retired_reviewer_counts_for_what_it_reviewed_before() {
    let (one, two) = (candidate("1.0.0"), candidate("2.0.0"));
    let mut book = Book::new();
    book.lint(&one).unwrap();
    for role in ROLES {
        book.review(&one, &reviewed(&one, role, 2)).unwrap();
    }
    book.trust(reviewer(5), Some(key(2).public().id())).unwrap();
    book.sign(&one, &signed(&one, 1)).unwrap();
    book.publish(&one).unwrap();
    book.lint(&two).unwrap();
    refused(book.review(&two, &reviewed(&two, ReviewRole::Data, 2)), &["D1303"]);
}

#[test]
fn nothing_of_a_revoked_key_holds_until_another_key_stands_in() {
    let pack = candidate("1.0.0");
    let mut book = Book::signed(&pack);
    book.publish(&pack).unwrap();
    book.revoke_key(&key(1).public().id(), "stolen").unwrap();
    assert_eq!(book.revoke_key(&key(1).public().id(), "stolen"), Ok(Transition::AlreadyDone));
    refused(book.proof(&pack), &["D1302"]);
    book.trust(signer(3, "acme"), None).unwrap();
    book.sign(&pack, &signed(&pack, 3)).unwrap();
    assert_eq!(book.proof(&pack).unwrap().signer, key(3).public().id());
    book.revoke_key(&key(2).public().id(), "stolen too").unwrap();
    refused(book.proof(&pack), &["D1202", "D1202"]);
    book.trust(reviewer(4), None).unwrap();
    for role in ROLES {
        book.review(&pack, &reviewed(&pack, role, 4)).unwrap();
    }
    assert_eq!(book.proof(&pack).unwrap().reviews.len(), 2);
}
