//! The directory: who may change it, and in which roles people decide.

use super::fixture::{Log, Refusal, refused};
use deed_model::{ApproverAuthority, WorkspaceSettings};
use deed_workspace::{Standing, add_person, change_settings, remove_person, standing};
use std::collections::BTreeSet;

impl Log {
    fn add(&mut self, by: &str, person: &str, roles: &[&str]) -> Result<usize, Refusal> {
        let roles: BTreeSet<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        self.append(by, |state| add_person(state, person, None, &roles, by))
    }

    fn leave(&mut self, by: &str, person: &str) -> Result<usize, Refusal> {
        self.append(by, |state| remove_person(state, person, None, by))
    }

    fn holds(&self, person: &str, role: &str) -> Option<ApproverAuthority> {
        match standing(&self.state, person, role) {
            Standing::Holds(held) => Some(held.authority),
            Standing::Lacks { why, help } => {
                assert!(!why.is_empty() && !help.is_empty());
                None
            }
        }
    }
}

#[test]
fn the_only_person_decides_in_every_role() {
    let mut log = Log::new();
    assert_eq!(log.holds("ada", "finance"), Some(ApproverAuthority::SolePerson));
    assert_eq!(log.holds("ada", "owner"), Some(ApproverAuthority::Directory));
    assert_eq!(log.holds("rosa", "finance"), None);
    log.add("ada", "rosa", &["finance"]).unwrap();
    assert_eq!(log.holds("ada", "finance"), None);
    assert_eq!(log.holds("rosa", "finance"), Some(ApproverAuthority::Directory));
    log.add("ada", "rosa", &["legal"]).unwrap();
    assert_eq!((log.holds("rosa", "finance"), log.holds("rosa", "legal")), (None, Some(ApproverAuthority::Directory)));
    log.leave("ada", "rosa").unwrap();
    assert_eq!((log.holds("rosa", "legal"), log.holds("ada", "legal")), (None, Some(ApproverAuthority::SolePerson)));
}

/// An authority is the same for as long as it lasts, and another one after any break.
#[test]
fn an_authority_that_was_interrupted_is_another_one() {
    let mut log = Log::new();
    let since = |log: &Log, person: &str, role: &str| match standing(&log.state, person, role) {
        Standing::Holds(held) => Some(held.since),
        Standing::Lacks { .. } => None,
    };
    let sole = since(&log, "ada", "clerk").unwrap();
    log.add("ada", "rosa", &["clerk"]).unwrap();
    let first = since(&log, "rosa", "clerk").unwrap();
    // Other roles, other people and another name change nothing.
    log.add("ada", "rosa", &["clerk", "finance"]).unwrap();
    log.add("ada", "ben", &["clerk"]).unwrap();
    log.leave("ada", "ben").unwrap();
    assert_eq!(since(&log, "rosa", "clerk"), Some(first));
    assert_ne!(since(&log, "rosa", "finance"), Some(first));
    // A role that was taken away and given back.
    log.add("ada", "rosa", &["finance"]).unwrap();
    log.add("ada", "rosa", &["clerk"]).unwrap();
    let second = since(&log, "rosa", "clerk").unwrap();
    assert_ne!(second, first);
    // A person who was removed and added again.
    log.leave("ada", "rosa").unwrap();
    assert_ne!(since(&log, "ada", "clerk"), Some(sole), "ada was not alone all the time");
    log.add("ada", "rosa", &["clerk"]).unwrap();
    let third = since(&log, "rosa", "clerk").unwrap();
    assert!(third != second && third != first);
}

#[test]
fn only_owners_change_people_and_settings() {
    let mut log = Log::new();
    log.add("ada", "rosa", &["finance"]).unwrap();
    refused(log.add("rosa", "eve", &["finance"]), "D3012");
    refused(log.add("eve", "eve", &["owner"]), "D3011");
    refused(log.leave("rosa", "ada"), "D3012");
    let settings = WorkspaceSettings { default_profile: Some("p@1.0.0".to_owned()), ..WorkspaceSettings::default() };
    refused(log.append("rosa", |state| change_settings(state, &settings, "rosa")), "D3012");
    assert_eq!(log.append("ada", |state| change_settings(state, &settings, "ada")), Ok(1));
    assert_eq!(log.append("ada", |state| change_settings(state, &settings, "ada")), Ok(0));
}

#[test]
fn an_owner_stays() {
    let mut log = Log::new();
    refused(log.leave("ada", "ada"), "D3013");
    refused(log.add("ada", "ada", &["finance"]), "D3013");
    log.add("ada", "rosa", &["owner"]).unwrap();
    log.leave("rosa", "ada").unwrap();
    refused(log.leave("rosa", "rosa"), "D3013");
    refused(log.leave("rosa", "ada"), "D3014");
    refused(log.leave("ada", "rosa"), "D3011");
}

#[test]
fn the_same_roles_are_recorded_once() {
    let mut log = Log::new();
    assert_eq!(log.add("ada", "rosa", &["finance"]), Ok(1));
    assert_eq!(log.add("ada", "rosa", &["finance"]), Ok(0));
    refused(log.add("ada", "rosa", &["fin\u{202e}ance"]), "D3015");
    refused(log.add("ada", " ", &[]), "D3015");
}
