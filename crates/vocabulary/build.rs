//! Turns the vocabularies under `data/` into tables: the bytes of all tokens, where each begins, and a hash table over
//! them. The tables are embedded and used in place, so that nothing is loaded when a process starts.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a build script: a vocabulary that is damaged stops the build"
)]

use flate2::read::GzDecoder;
use std::env;
use std::fs;
use std::io::Read;
use std::path::Path;

include!("src/hash.rs");

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/hash.rs");
    println!("cargo::rerun-if-changed=data");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for name in ["o200k_base", "cl100k_base"] {
        let file = fs::File::open(format!("data/{name}.tiktoken.gz")).expect("the vocabulary is in the repository");
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).expect("the vocabulary is gzip");
        write(&Path::new(&out).join(name), &tokens(&text));
    }
}

/// The tokens in the order of their ranks.
fn tokens(text: &str) -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let (token, rank) = line.split_once(' ').expect("a line is a token and its rank");
        assert_eq!(rank.parse::<usize>().expect("a rank is a number"), tokens.len(), "ranks have no gaps");
        tokens.push(base64(token));
    }
    tokens
}

fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for character in text.trim_end_matches('=').bytes() {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            other => panic!("byte {other} is not base64"),
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

fn write(path: &Path, tokens: &[Vec<u8>]) {
    assert!(tokens.len() + 1 < 1 << TOKEN_BITS, "a slot holds every token");
    let mut lengths = Vec::new();
    let mut blocks = Vec::new();
    let mut bytes = Vec::new();
    // Two thirds full, so that a search for bytes that are not a token ends soon.
    let mut slots = vec![0_u32; tokens.len() * 3 / 2];
    for (rank, token) in tokens.iter().enumerate() {
        if rank % BLOCK == 0 {
            blocks.push(u32::try_from(bytes.len()).expect("a vocabulary is small"));
        }
        bytes.extend_from_slice(token);
        lengths.push(u8::try_from(token.len()).expect("a token is short"));
        let hash = hash(token);
        let mut at = first_slot(hash, slots.len());
        while slots[at] != 0 {
            at = (at + 1) % slots.len();
        }
        slots[at] = tag(hash) << TOKEN_BITS | (rank as u32 + 1);
    }
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let parts = [("bytes", bytes), ("lengths", lengths), ("blocks", words(&blocks)), ("slots", words(&slots))];
    for (part, content) in parts {
        fs::write(path.with_extension(part), content).expect("OUT_DIR can be written");
    }
}
