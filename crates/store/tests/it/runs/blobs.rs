//! Bytes by their content.

use super::fixture::*;
use deed_canon::ContentHash;
use deed_ports::{BlobPlace, BlobRead, BlobWrite, JournalWrite, Kept, StoreErrorKind, Wait};
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const SMALL: usize = 64 * 1024;

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| (n * 31 % 251) as u8).collect()
}

fn kept(bytes: &[u8]) -> Kept {
    Kept { sha256: ContentHash::of_bytes(bytes), bytes: bytes.len() as u64 }
}

fn place(dir: &Path, hash: &ContentHash) -> PathBuf {
    dir.join("blobs/sha256").join(&hash.hex()[..2]).join(hash.hex())
}

fn left(dir: &Path) -> usize {
    let count = |path: PathBuf| fs::read_dir(path).map_or(0, Iterator::count);
    let folders = fs::read_dir(dir.join("tmp")).unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|path| path.is_dir()).map(count).sum()
}

#[test]
fn a_blob_can_be_read_at_once_and_later() {
    let (dir, store) = store();
    for length in [0, 1, SMALL - 1, SMALL, SMALL + 1, 3_000_000] {
        let bytes = bytes(length);
        for _ in 0..2 {
            assert_eq!(store.put(&mut bytes.as_slice()).unwrap(), kept(&bytes));
        }
        let hash = kept(&bytes).sha256;
        let fresh = || {
            store.settle("a").unwrap();
            reopen(dir.path())
        };
        for store in [&store, &fresh()] {
            let mut read = Vec::new();
            let mut blob = store.open(&hash).unwrap();
            blob.read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
            blob.seek(SeekFrom::Start(length as u64 / 2)).unwrap();
            read.clear();
            blob.read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes[length / 2..]);
            assert_eq!(store.check_blob(&hash).unwrap(), length as u64);
            match store.locate(&hash).unwrap() {
                BlobPlace::Bytes(found) => assert!(length <= SMALL && found == bytes),
                BlobPlace::File(path) => {
                    assert!(length > SMALL);
                    assert_eq!((mode(&path), path), (0o444, place(dir.path(), &hash)));
                }
            }
        }
    }
    assert_eq!(left(dir.path()), 0);
    fails(store.locate(&ContentHash::of_bytes(b"other")), StoreErrorKind::Unknown);
    fails(store.check_blob(&ContentHash::of_bytes(b"other")), StoreErrorKind::Unknown);
}

#[test]
fn a_source_that_fails_leaves_nothing() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("it went away"))
        }
    }
    let (dir, store) = store();
    for length in [10, SMALL + 10, 2_000_000] {
        let bytes = bytes(length);
        fails(store.put(&mut bytes.as_slice().chain(Broken)), StoreErrorKind::Unavailable);
        fails(store.locate(&kept(&bytes).sha256), StoreErrorKind::Unknown);
    }
    assert_eq!(left(dir.path()), 0);
}

#[test]
fn a_file_is_adopted_by_moving_it() {
    let (dir, store) = store();
    let file = dir.path().join("given");
    for length in [5, SMALL, SMALL + 1, 1_000_000] {
        let bytes = bytes(length);
        for again in [false, true] {
            fs::write(&file, &bytes).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
            let inode = fs::metadata(&file).unwrap().ino();
            store.adopt(&file, kept(&bytes)).unwrap();
            assert!(!file.exists());
            assert_eq!(store.check_blob(&kept(&bytes).sha256).unwrap(), length as u64);
            if length > SMALL {
                let found = fs::metadata(place(dir.path(), &kept(&bytes).sha256)).unwrap();
                assert_eq!(found.permissions().mode() & 0o777, 0o444);
                assert_eq!(found.ino() == inode, !again, "the first is moved, the second is not needed");
            }
        }
    }
}

#[test]
fn a_file_that_others_have_a_hand_on_is_copied() {
    let (dir, store) = store();
    let (file, other) = (dir.path().join("given"), dir.path().join("other name"));
    let bytes = bytes(SMALL + 7);
    fs::write(&file, &bytes).unwrap();
    fs::hard_link(&file, &other).unwrap();
    store.adopt(&file, kept(&bytes)).unwrap();
    fs::write(&other, "gotcha").unwrap();
    store.check_blob(&kept(&bytes).sha256).unwrap();
    assert!(!file.exists());
}

/// Only the superuser can give a file away in the first place.
#[test]
fn a_file_of_another_owner_becomes_ours() {
    let (dir, store) = store();
    let file = dir.path().join("given");
    let bytes = bytes(SMALL + 8);
    fs::write(&file, &bytes).unwrap();
    if std::os::unix::fs::chown(&file, Some(65534), Some(65534)).is_err() {
        return;
    }
    store.adopt(&file, kept(&bytes)).unwrap();
    let found = fs::metadata(place(dir.path(), &kept(&bytes).sha256)).unwrap();
    assert_eq!(found.uid(), fs::metadata(dir.path()).unwrap().uid());
}

/// Shared memory is another file system on every Linux.
#[test]
fn a_file_on_another_disk_is_copied() {
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return };
    let (dir, store) = store();
    if fs::metadata(elsewhere.path()).unwrap().dev() == fs::metadata(dir.path()).unwrap().dev() {
        return;
    }
    let file = elsewhere.path().join("given");
    let bytes = bytes(SMALL + 9);
    fs::write(&file, &bytes).unwrap();
    store.adopt(&file, kept(&bytes)).unwrap();
    assert!(!file.exists());
    store.check_blob(&kept(&bytes).sha256).unwrap();
    // What is copied is hashed again.
    fs::write(&file, &bytes).unwrap();
    let wrong = Kept { sha256: ContentHash::of_bytes(b"other"), ..kept(&bytes) };
    fails(store.adopt(&file, wrong), StoreErrorKind::Corrupt);
    assert!(file.exists());
}

#[test]
fn a_file_that_differs_from_its_hash_is_not_adopted() {
    let (dir, store) = store();
    let (file, link) = (dir.path().join("given"), dir.path().join("link"));
    fs::write(&file, "few").unwrap();
    symlink(&file, &link).unwrap();
    fails(store.adopt(&link, kept(b"few")), StoreErrorKind::Conflict);
    fails(store.adopt(dir.path(), kept(b"few")), StoreErrorKind::Conflict);
    fails(store.adopt(&file, kept(b"fewer")), StoreErrorKind::Corrupt);
    fails(store.adopt(&file, kept(b"wef")), StoreErrorKind::Corrupt);
    fails(store.adopt(&dir.path().join("nowhere"), kept(b"few")), StoreErrorKind::Unavailable);
    assert!(file.exists());
}

#[test]
fn altered_bytes_are_found_and_healed() {
    let (dir, store) = store();
    let (few, many) = (bytes(100), bytes(SMALL + 100));
    let (few_hash, many_hash) = (kept(&few).sha256, kept(&many).sha256);
    let put = || {
        store.put(&mut few.as_slice()).unwrap();
        store.put(&mut many.as_slice()).unwrap();
        store.settle("a").unwrap();
    };
    put();
    let path = place(dir.path(), &many_hash);
    let conn = database(dir.path());
    conn.execute_batch("DROP TRIGGER small_blobs_stay").unwrap();
    for damage in 0..3 {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let mut altered = many.clone();
        match damage {
            0 => altered[70] ^= 1,
            1 => altered.truncate(SMALL + 99),
            _ => altered.push(0),
        }
        fs::write(&path, &altered).unwrap();
        conn.execute("UPDATE small_blobs SET bytes = substr(bytes, 2)", []).unwrap();
        fails(store.check_blob(&few_hash), StoreErrorKind::Corrupt);
        fails(store.check_blob(&many_hash), StoreErrorKind::Corrupt);
        put();
        store.check_blob(&few_hash).unwrap();
        store.check_blob(&many_hash).unwrap();
    }
    fs::remove_file(&path).unwrap();
    conn.execute("DELETE FROM small_blobs", []).unwrap();
    fails(store.check_blob(&few_hash), StoreErrorKind::Unknown);
    fails(store.check_blob(&many_hash), StoreErrorKind::Unknown);
}

/// A step that is run again makes the same bytes again: what lies in their place by now must not outlive that.
#[test]
fn an_adopted_file_replaces_an_altered_blob() {
    let (dir, store) = store();
    let many = bytes(SMALL + 100);
    let (known, path) = (kept(&many), place(dir.path(), &kept(&many).sha256));
    let file = dir.path().join("given");
    let adopt = || {
        fs::write(&file, &many).unwrap();
        store.adopt(&file, known)
    };
    adopt().unwrap();
    let mut altered = many.clone();
    altered[70] ^= 1;
    for damage in [altered.as_slice(), &many[1..], b""] {
        fs::remove_file(&path).unwrap();
        fs::write(&path, damage).unwrap();
        adopt().unwrap();
        assert_eq!(store.check_blob(&known.sha256).unwrap(), known.bytes);
    }
    // A link to the right bytes is not the blob: they can be changed through the other name.
    let elsewhere = dir.path().join("elsewhere");
    fs::write(&elsewhere, &many).unwrap();
    fs::remove_file(&path).unwrap();
    symlink(&elsewhere, &path).unwrap();
    let error = fails(store.locate(&known.sha256), StoreErrorKind::Corrupt);
    assert!(error.message.starts_with("a symbolic link is in the place of a blob: `"), "{error}");
    assert!(error.help.unwrap().starts_with("move it away"));
    adopt().unwrap();
    assert!(fs::symlink_metadata(&path).unwrap().is_file());
    store.check_blob(&known.sha256).unwrap();
}

#[test]
fn a_folder_in_the_place_of_bytes_is_named() {
    let (dir, store) = store();
    let many = bytes(SMALL + 100);
    let (known, path) = (kept(&many), place(dir.path(), &kept(&many).sha256));
    fs::create_dir_all(path.join("inner")).unwrap();
    let file = dir.path().join("given");
    fs::write(&file, &many).unwrap();
    let tries =
        [store.adopt(&file, known), store.put(&mut many.as_slice()).map(drop), store.locate(&known.sha256).map(drop)];
    for tried in tries {
        let error = fails(tried, StoreErrorKind::Corrupt);
        assert_eq!(error.message, format!("a folder is in the place of a blob: `{}`", path.display()));
        assert!(error.help.unwrap().starts_with("move it away"));
    }
    assert!(file.exists(), "nothing is lost");
    assert_eq!(left(dir.path()), 0);
    fs::rename(&path, dir.path().join("away")).unwrap();
    store.adopt(&file, known).unwrap();
    store.check_blob(&known.sha256).unwrap();
}

#[test]
fn only_the_unfinished_files_of_the_dead_are_swept() {
    let (dir, store) = store();
    let many = bytes(SMALL + 1);
    let tmp = dir.path().join("tmp");
    // A living store, in the middle of a file.
    struct Paused<'a>(&'a mut dyn FnMut(), &'a [u8]);
    impl Read for Paused<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            if self.1.is_empty() {
                (self.0)();
            }
            self.1.read(to)
        }
    }
    // A leftover of an ended process: its lock is free.
    fs::create_dir(tmp.join("store-dead")).unwrap();
    fs::write(tmp.join("store-dead").join("blob-1"), "half").unwrap();
    fs::write(tmp.join("store-dead.lock"), "").unwrap();
    fs::write(tmp.join("not ours"), "").unwrap();
    let mut looked = 0;
    let mut look = || {
        looked += 1;
        let other = reopen(dir.path());
        other.put(&mut bytes(SMALL + 2).as_slice()).unwrap();
        assert!(!tmp.join("store-dead").exists() && !tmp.join("store-dead.lock").exists());
        assert!(left(dir.path()) > 0, "the file that is being written is there");
        other.append("a", vec![progress(1)], Wait::Durable).unwrap_err();
    };
    store.put(&mut Paused(&mut look, &many)).unwrap();
    assert!(looked > 0);
    store.check_blob(&kept(&many).sha256).unwrap();
    drop(store);
    let names: Vec<_> = fs::read_dir(&tmp).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["not ours"]);
}
