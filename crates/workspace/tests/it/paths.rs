//! Paths and references, with arbitrary text.

use super::fixture::{Log, refused};
use deed_workspace::{Area, FilePath, FileRef, VersionRef, check_person_id, check_workspace_name, input_path, resolve};
use proptest::prelude::*;

#[test]
fn a_path_without_an_area_is_a_file_of_people() {
    let text = |path: &str| FilePath::read(path).unwrap().text().to_owned();
    assert_eq!(text("hours.csv"), "people/hours.csv");
    assert_eq!(text("people/./2026//hours.csv"), "people/2026/hours.csv");
    assert_eq!(text("agents/monthly/r.csv"), "agents/monthly/r.csv");
    assert_eq!(input_path("input/agents/monthly/r.csv").unwrap().area(), Area::Agents);
    assert_eq!(input_path("input/hours.csv").unwrap().text(), "people/hours.csv");
    // Letters are composed, and one spelling is in the way of another.
    assert_eq!(text("re\u{301}sume\u{301}"), "people/r\u{e9}sum\u{e9}");
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let long = "x".repeat(300);
    for path in [
        "",
        " ",
        "/etc/passwd",
        "../x",
        "people/../../x",
        "a/../b",
        "C:/x",
        "people",
        "people/",
        "agents/",
        "People/x",
        "AGENTS/x",
        "a\\b",
        "nul",
        "people/con.txt",
        "a.",
        "a ",
        " a",
        "a\0b",
        "a\u{202e}b",
        "a*b",
        "a?b",
        "~/x",
        &long,
    ] {
        refused(FilePath::read(path), "D3005");
    }
}

#[test]
fn a_version_is_named_after_the_last_at() {
    let read = |text: &str| {
        let read = FileRef::read(text).unwrap();
        (read.path.text().to_owned(), read.version)
    };
    assert_eq!(read("a.csv"), ("people/a.csv".to_owned(), VersionRef::Latest));
    assert_eq!(read("a.csv@latest"), ("people/a.csv".to_owned(), VersionRef::Latest));
    assert_eq!(read("a.csv@12"), ("people/a.csv".to_owned(), VersionRef::Number(12)));
    assert_eq!(read("logo@2x.png"), ("people/logo@2x.png".to_owned(), VersionRef::Latest));
    assert_eq!(read("logo@2@1"), ("people/logo@2".to_owned(), VersionRef::Number(1)));
    assert_eq!(read("a@99999999999999999999"), ("people/a".to_owned(), VersionRef::Number(u64::MAX)));
}

#[test]
fn references_to_what_is_not_there_are_refused() {
    let mut log = Log::new();
    log.put("hours.csv", "one").unwrap();
    log.put("hours.csv", "two").unwrap();
    let found = |text: &str| resolve(&log.state, &FileRef::read(text).unwrap()).map(|(_, version, _)| version.version);
    assert_eq!(found("hours.csv"), Ok(2));
    assert_eq!(found("hours.csv@1"), Ok(1));
    let one = super::fixture::content("one").sha256;
    assert_eq!(found(&format!("hours.csv@{one}")), Ok(1));
    refused(found("hours.csv@3"), "D3007");
    refused(found("hours.csv@0"), "D3007");
    let other = super::fixture::content("other").sha256;
    refused(found(&format!("hours.csv@{other}")), "D3007");
    let near = found("hour.csv").unwrap_err();
    assert_eq!((near[0].code.as_str(), near[0].help.as_deref()), ("D3006", Some("did you mean `people/hours.csv`?")));
}

#[test]
fn names_are_plain() {
    for name in ["reports", "a", "0-day_2", &"x".repeat(64)] {
        assert!(check_workspace_name(name).is_ok(), "{name}");
    }
    for name in ["", "Reports", "a b", "../x", "-a", "con", "nul", "com1", "a.b", "é", &"x".repeat(65)] {
        refused(check_workspace_name(name), "D3003");
    }
    for person in ["", " ", "a ", "a\u{202e}b", "a\nb", &"x".repeat(129)] {
        refused(check_person_id(person), "D3015");
    }
    assert!(check_person_id("rosa@acme.example").is_ok());
}

proptest! {
    #[test]
    fn any_text_is_a_plain_path_or_refused(text in "\\PC{0,40}|([a-cA-C./@\\\\ ]|\u{e9}|e\u{301}|\\.\\.){0,12}") {
        let Ok(path) = FilePath::read(&text) else { return Ok(()) };
        let beneath = Area::ALL.iter().any(|area| path.text().starts_with(&format!("{}/", area.as_str())));
        prop_assert!(beneath, "{}", path.text());
        prop_assert!(path.text().split('/').count() >= 2);
        let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
        prop_assert!(path.text().split('/').all(plain), "{}", path.text());
        // It is read as itself again, and so is its folded form in capitals.
        prop_assert_eq!(FilePath::read(path.text()).unwrap(), path.clone());
        let other = path.text().replacen("people/", "", 1).to_uppercase();
        if let (Area::People, Ok(other)) = (path.area(), FilePath::read(&format!("people/{other}"))) {
            let sharp = path.text().chars().any(|c| c.to_uppercase().count() > 1);
            prop_assert!(sharp || other.folded() == path.folded(), "{:?} {:?}", other, path);
        }
    }

    #[test]
    fn any_text_is_a_reference_or_refused(text in "\\PC{0,60}") {
        if let Ok(reference) = FileRef::read(&text) {
            prop_assert!(resolve(&Log::new().state, &reference).is_err());
        }
    }
}
