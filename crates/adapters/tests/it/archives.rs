//! Archives that mean harm: each is refused by name, whatever it says about itself.

use crate::common::{refusal, run};
use deed_adapters::{Limits, Settings};
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

fn limited(limits: Limits) -> Settings<'static> {
    Settings { limits, ..Settings::default() }
}

fn archive(build: impl FnOnce(&mut ZipWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    build(&mut writer);
    writer.finish().unwrap().into_inner()
}

fn with(names: &[&str]) -> Vec<u8> {
    archive(|zip| {
        for name in names {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(name.as_bytes()).unwrap();
        }
    })
}

const ZIP: &str = "zip_to_batch_manifest.v1";

#[test]
fn an_archive_is_listed_by_path() {
    let bytes = archive(|zip| {
        zip.start_file("b.csv", SimpleFileOptions::default()).unwrap();
        zip.write_all(b"a\n1\n").unwrap();
        zip.add_directory("a", SimpleFileOptions::default()).unwrap();
        zip.start_file("a/x.JSON", SimpleFileOptions::default()).unwrap();
    });
    let (out, adapted) = run(ZIP, &[&bytes], &Settings::default()).unwrap();
    assert_eq!((adapted.rows, adapted.notes.len()), (Some(2), 1));
    let manifest: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(manifest["format"], 1);
    let entries = manifest["entries"].as_array().unwrap();
    assert_eq!(
        entries[0],
        serde_json::json!({
            "path": "a/x.JSON", "size": 0, "compressed": entries[0]["compressed"],
            "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "media_type": "application/json"
        })
    );
    assert_eq!((&entries[1]["path"], &entries[1]["size"]), (&"b.csv".into(), &4.into()));
}

/// Puts other bytes of the same length in the place of all that are found.
fn patched(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..=bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to));
    bytes
}

#[test]
fn archives_that_escape_or_collide_are_refused() {
    let check = |bytes: &[u8], code: &str| {
        let (found, words) = refusal(ZIP, &[bytes], &Settings::default());
        assert_eq!(found, code, "{words}");
    };
    for to in ["../x", "/abc", "C:/x", "a\\bc", "a//b", "./ab"] {
        check(&patched(with(&["abcd"]), b"abcd", to.as_bytes()), "unsafe_path");
    }
    check(&with(&["a.txt", "A.TXT"]), "duplicate_name");
    check(&with(&["\u{e9}", "e\u{301}"]), "duplicate_name");
    check(&with(&["a", "a/b"]), "duplicate_name");
    check(&patched(with(&["abcd", "abce"]), b"abce", b"abcd"), "duplicate_name");
    check(&archive(|zip| zip.add_symlink("l", "/etc/passwd", SimpleFileOptions::default()).unwrap()), "link");
    // The name in the entry is another than that in the directory.
    let mut two_names = with(&["abcd"]);
    let at = (0..two_names.len()).find(|at| two_names[*at..].starts_with(b"abcd")).unwrap();
    two_names[at] = b'x';
    check(&two_names, "inconsistent");
    // The bit that says that an entry is encrypted.
    let mut locked = with(&["abcd"]);
    let central = (0..locked.len()).find(|at| locked[*at..].starts_with(b"PK\x01\x02")).unwrap();
    locked[6] |= 1;
    locked[central + 8] |= 1;
    check(&locked, "encrypted");
    check(b"PK", "syntax");
    let whole = with(&["a"]);
    check(&whole[..whole.len() / 2], "syntax");
}

#[test]
fn archives_that_swell_are_refused() {
    let zeros = vec![0; 20 << 20];
    let bomb = archive(|zip| {
        zip.start_file("zeros", SimpleFileOptions::default()).unwrap();
        zip.write_all(&zeros).unwrap();
    });
    let check = |bytes: &[u8], limits: Limits, code: &str| {
        let (found, words) = refusal(ZIP, &[bytes], &limited(limits));
        assert_eq!(found, code, "{words}");
    };
    let base = Limits::default();
    check(&bomb, base, "bomb");
    check(&bomb, Limits { ratio: 100_000, entry_bytes: 1 << 20, ..base }, "limit");
    check(&bomb, Limits { ratio: 100_000, output_bytes: 1 << 20, ..base }, "limit");
    check(&with(&["a", "b", "c"]), Limits { entries: 2, ..base }, "limit");
    // A directory that says less than what comes out is not believed.
    let size = u32::try_from(zeros.len()).unwrap().to_le_bytes();
    let lying = patched(bomb.clone(), &size, &[1, 0, 0, 0]);
    assert!(run(ZIP, &[&lying], &limited(Limits { ratio: 100_000, ..base })).is_err());
    // Two entries of the directory that share the bytes of one.
    let mut shared = with(&["abcd", "abce"]);
    let second = (0..shared.len()).filter(|at| shared[*at..].starts_with(b"PK\x01\x02")).nth(1).unwrap();
    shared[second + 42..second + 46].copy_from_slice(&[0; 4]);
    check(&shared, base, "inconsistent");
}
