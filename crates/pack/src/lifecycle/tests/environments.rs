use super::super::*;
use super::fixture::*;
use deed_model::{PackUse, RegistryEvent};

/// Three published versions, of which 1.1.0 has the overlay `prod`.
fn three() -> (Book, [Candidate; 3]) {
    let (value, overlay) = with_overlay("1.1.0", "de");
    let packs = [candidate("1.0.0"), Candidate::new(&value, &[overlay]).unwrap(), candidate("1.2.0")];
    let mut book = Book::new();
    for pack in &packs {
        book.ready(pack);
        book.publish(pack).unwrap();
    }
    (book, packs)
}

fn now(book: &Book) -> Option<(String, Vec<String>)> {
    let environment = book.environment("acme", "prod");
    environment.current().map(|pin| (pin.pack_ref.version.to_string(), pin.overlays.clone()))
}

#[test]
fn a_pin_binds_declared_overlays_and_no_others() {
    let (mut book, [one, two, _]) = three();
    refused(book.pin_with(&one, "acme", "prod", &["prod"]), &["D1009"]);
    refused(book.pin_with(&two, "acme", "prod", &["prod", "prodd"]), &["D1009"]);
    book.pin_with(&two, "acme", "prod", &[]).unwrap();
    assert_eq!(book.pin_with(&two, "acme", "prod", &[]), Ok(Transition::AlreadyDone));
    // Other overlays are another pin of the same version.
    assert!(matches!(book.pin_with(&two, "acme", "prod", &["prod", "prod"]), Ok(Transition::Append(_))));
    assert_eq!(now(&book), Some(("1.1.0".to_owned(), vec!["prod".to_owned()])));
}

#[test]
fn rollbacks_lead_back_and_never_to_the_version_that_was_left() {
    let (mut book, [one, two, three]) = three();
    refused(book.roll_back(&one, "prod"), &["D1211"]);
    book.pin(&one, "acme", "prod").unwrap();
    refused(book.roll_back(&one, "prod"), &["D1211"]);
    book.pin_with(&two, "acme", "prod", &["prod"]).unwrap();
    book.pin(&three, "acme", "prod").unwrap();
    let Ok(Transition::Append(event)) = book.roll_back(&two, "prod") else { panic!("nothing was rolled back") };
    assert!(matches!(*event, RegistryEvent::PackPinned { rollback: true, .. }));
    assert_eq!(now(&book), Some(("1.1.0".to_owned(), vec!["prod".to_owned()])), "with its overlays");
    let target = book.environment("acme", "prod");
    assert_eq!(roll_back_target(&target).unwrap().pack_ref, *one.pack_ref());
    book.roll_back(&one, "prod").unwrap();
    refused(book.roll_back(&one, "prod"), &["D1211"]);
}

#[test]
fn a_lower_version_that_was_never_pinned_is_no_rollback() {
    let (mut book, [one, two, three]) = three();
    let rollback = |transition| match transition {
        Ok(Transition::Append(event)) => matches!(*event, RegistryEvent::PackPinned { rollback: true, .. }),
        other => panic!("nothing was pinned: {other:?}"),
    };
    book.pin(&one, "acme", "prod").unwrap();
    book.pin(&three, "acme", "prod").unwrap();
    assert!(!book.environment("acme", "prod").leads_back_to(two.pack_ref(), &[]));
    assert!(!rollback(book.pin(&two, "acme", "prod")), "it was pinned nowhere before");
    assert!(rollback(book.pin(&one, "acme", "prod")), "it was");
    book.pin(&three, "acme", "prod").unwrap();
    assert!(!rollback(book.pin_with(&two, "acme", "prod", &["prod"])), "not with these overlays");
    book.pin(&three, "acme", "prod").unwrap();
    assert!(rollback(book.pin(&two, "acme", "prod")), "it was pinned by now, through the gates");
    // Another environment knows nothing of it.
    book.pin(&three, "acme", "test").unwrap();
    assert!(!rollback(book.pin(&two, "acme", "test")));
}

#[test]
fn the_last_recheck_of_a_kind_decides_whatever_the_document_is_called() {
    use deed_model::RecheckTrigger::{AdapterSchemaUpdated, EvaluatorUpdated};
    let (mut book, [one, ..]) = three();
    book.recheck(&one, (EvaluatorUpdated, "eval.a"), 1).unwrap();
    refused(book.pin(&one, "acme", "prod"), &["D2440"]);
    book.recheck(&one, (EvaluatorUpdated, "eval.b"), 0).unwrap();
    book.pin(&one, "acme", "prod").unwrap();
    book.recheck(&one, (EvaluatorUpdated, "eval.c"), 2).unwrap();
    refused(book.pin(&one, "acme", "test"), &["D2440"]);
    book.recheck(&one, (EvaluatorUpdated, "eval.c"), 0).unwrap();
    // A pack has several adapters: one that fits says nothing of another.
    book.recheck(&one, (AdapterSchemaUpdated, "adp_orders"), 1).unwrap();
    book.recheck(&one, (AdapterSchemaUpdated, "adp_payments"), 0).unwrap();
    refused(book.pin(&one, "acme", "test"), &["D2440"]);
    book.recheck(&one, (AdapterSchemaUpdated, "adp_orders"), 0).unwrap();
    book.pin(&one, "acme", "test").unwrap();
}

#[test]
fn nothing_is_pinned_after_unpin_until_the_next_pin() {
    let (mut book, [one, ..]) = three();
    refused(book.unpin("prod", "closed"), &["D1211"]);
    book.pin(&one, "acme", "prod").unwrap();
    refused(book.unpin("prod", " "), &["D1208"]);
    book.unpin("prod", "closed").unwrap();
    assert_eq!(book.unpin("prod", "closed"), Ok(Transition::AlreadyDone));
    assert_eq!((now(&book), book.state_of(&one)), (None, PackState::Published));
    refused(book.roll_back(&one, "prod"), &["D1211"]);
    book.pin(&one, "acme", "prod").unwrap();
    assert_eq!(book.state_of(&one), PackState::Pinned);
}

#[test]
fn ending_a_pinned_version_names_the_environments() {
    let (mut book, [one, ..]) = three();
    book.pin(&one, "acme", "prod").unwrap();
    book.pin(&one, "acme", "stage").unwrap();
    let history = book.history(&one);
    for ended in [may_deprecate(&history, "old", PinnedUse::Refused), may_revoke(&history, "leaks", PinnedUse::Refused)]
    {
        let findings = ended.clone().unwrap_err();
        assert!(findings[0].message.contains("`prod` of `acme`, `stage` of `acme`"), "{findings:?}");
        refused(ended, &["D1214"]);
    }
    assert!(may_revoke(&history, "leaks", PinnedUse::TakenDown).is_ok());
    book.unpin("prod", "closed").unwrap();
    book.unpin("stage", "closed").unwrap();
    assert!(may_deprecate(&book.history(&one), "old", PinnedUse::Refused).is_ok());
}

#[test]
fn a_version_is_observed_once_in_each_environment_and_then_promoted() {
    let (mut book, [one, two, _]) = three();
    refused(book.promote(&one, "prod"), &["D1215"]);
    book.observe(&one, None, "r-0").unwrap();
    book.pin(&one, "acme", "prod").unwrap();
    refused(book.promote(&one, "prod"), &["D1215"]);
    assert_eq!(book.state_of(&one), PackState::Pinned, "a use elsewhere does not count");
    book.observe(&one, Some("prod"), "r-1").unwrap();
    assert_eq!(book.observe(&one, Some("prod"), "r-2"), Ok(Transition::AlreadyDone));
    let by = PackUse::Run { run_id: "r-1".to_owned() };
    assert_eq!(book.history(&one).observed("acme", Some("prod")).unwrap().by, by);
    assert_eq!(book.state_of(&one), PackState::Observed);
    book.promote(&one, "prod").unwrap();
    assert_eq!(book.promote(&one, "prod"), Ok(Transition::AlreadyDone));
    assert_eq!(book.state_of(&one), PackState::Promoted);
    assert_eq!(book.state().pack(one.pack_ref()), book.history(&one));
    // Another version takes the place, and the promotion ends with the pin.
    book.pin(&two, "acme", "prod").unwrap();
    assert_eq!(book.state_of(&one), PackState::Published);
    book.revoke(&one, "leaks").unwrap();
    refused(book.observe(&one, Some("stage"), "r-3"), &["D1207"]);
}
