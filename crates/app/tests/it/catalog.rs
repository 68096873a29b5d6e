//! Types that are added to a project, and files that adapters convert.

use crate::project::{Project, codes};
use deed_adapters::{How, Measure};
use deed_app::catalog::{AdaptRequest, AdapterOutput, CatalogType, adapt, add, find, open};
use deed_app::infer::{infer, write_entity};
use serde_json::{Value, json};

const ROWS: &str = "k,n\na,1\na,2\nb,3\n";

fn sales(p: &Project) -> std::path::PathBuf {
    let file = p.write("orders.csv", "order_id,amount\n1,10.50\n2,3.25\n3,7.00\n");
    let inferred = infer(&file, Some("sales.order")).unwrap();
    write_entity(&p.path("sales"), &inferred.entity).unwrap();
    p.path("sales")
}

#[test]
fn a_folder_becomes_part_of_the_project() {
    let p = Project::new();
    let folder = sales(&p);
    let added = add(&p.session, &folder, &[]).unwrap();
    assert_eq!(added.packs, ["domain sales"]);
    assert_eq!(added.written.len(), 2);
    assert!(added.written.iter().all(|file| file.starts_with(p.home().catalog())), "{:?}", added.written);
    let (catalog, _) = open(&p.session, &[]).unwrap();
    assert_eq!(catalog.hash(), added.hash);
    assert!(matches!(find(&catalog, "sales.order"), Ok(CatalogType::Entity(_))));
    assert_eq!(codes(find(&catalog, "sales.ordr")), ["D1819"]);
    // A second time its names are taken, and nothing is written.
    assert!(add(&p.session, &folder, &[]).is_err());
    std::fs::create_dir(p.path("empty")).unwrap();
    assert_eq!(codes(add(&p.session, &p.path("empty"), &[])), ["D1820"]);
}

#[test]
fn an_adapter_writes_a_file_or_returns_bytes() {
    let p = Project::new();
    let input = p.write("in.csv", ROWS);
    let mut request =
        AdaptRequest { adapter: "csv_to_json_rows.v1".to_owned(), inputs: vec![input], ..AdaptRequest::default() };
    let adapted = adapt(&p.session, &request).unwrap();
    let AdapterOutput::Bytes(bytes) = adapted.output else { panic!("there is no file to write") };
    let rows: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(rows, json!([{ "k": "a", "n": "1" }, { "k": "a", "n": "2" }, { "k": "b", "n": "3" }]));
    request.out = Some(p.path("out.json"));
    let adapted = adapt(&p.session, &request).unwrap();
    assert_eq!(adapted.output, AdapterOutput::Written(p.path("out.json")));
    assert_eq!((adapted.adapted.rows, p.read("out.json").into_bytes()), (Some(3), bytes));

    let grouped = AdaptRequest {
        adapter: "json_rows_to_aggregated_rows.v1".to_owned(),
        inputs: vec![p.write("rows.json", r#"[{"k": "a", "n": 1}, {"k": "a", "n": 2}]"#)],
        keys: vec!["k".to_owned()],
        measures: vec![Measure { field: "n".to_owned(), how: How::Sum, as_name: "total".to_owned() }],
        ..AdaptRequest::default()
    };
    let AdapterOutput::Bytes(bytes) = adapt(&p.session, &grouped).unwrap().output else { panic!("no file to write") };
    assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), json!([{ "k": "a", "total": 3 }]));
}

#[test]
fn an_input_that_is_refused_leaves_an_older_output_as_it_was() {
    let p = Project::new();
    let out = p.write("out.json", "older");
    let request = AdaptRequest {
        adapter: "csv_to_json_rows.v1".to_owned(),
        inputs: vec![p.write("ragged.csv", "a,b\n1\n")],
        out: Some(out),
        ..AdaptRequest::default()
    };
    assert_eq!(codes(adapt(&p.session, &request)), ["D1822"]);
    assert_eq!(p.read("out.json"), "older");
    let files = std::fs::read_dir(p.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(files.into_iter().all(|name| !name.to_string_lossy().starts_with(".tmp")), "no temp file is left");
    let unknown = AdaptRequest { adapter: "csv_to_nothing.v1".to_owned(), ..request };
    assert_eq!(codes(adapt(&p.session, &unknown)), ["D1819"]);
}
