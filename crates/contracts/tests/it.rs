//! The archives have what the types have.

#[test]
fn every_document_has_the_schema_of_its_type() {
    let mut embedded = deed_contracts::documents();
    for file in deed_model::schemas() {
        assert!(embedded.remove(file.name) == Some(file.schema), "{} is out of date: run `make schemas`", file.name);
    }
    assert_eq!(embedded.keys().collect::<Vec<_>>(), Vec::<&String>::new(), "files without a type");
}
