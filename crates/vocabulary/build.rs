//! Turns the vocabularies under `data/` into tables: the bytes of all tokens, where each begins, and a hash table over
//! them. Those of `o200k_base` are embedded and used in place, so that nothing is loaded when a process starts; those of
//! `cl100k_base`, which few packs name, are compressed and made at the first use.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a build script: a vocabulary that is damaged stops the build"
)]

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::ZlibEncoder;
use std::env;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

include!("src/hash.rs");
include!("src/index.rs");

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/hash.rs");
    println!("cargo::rerun-if-changed=src/index.rs");
    println!("cargo::rerun-if-changed=data");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, write) in [("o200k_base", write as fn(&Path, &[Vec<u8>])), ("cl100k_base", pack)] {
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
    let length = |token: &Vec<u8>| u8::try_from(token.len()).expect("a token is short");
    let lengths: Vec<u8> = tokens.iter().map(length).collect();
    let bytes = tokens.concat();
    let (blocks, slots) = index(&lengths, &bytes);
    for (part, content) in [("bytes", bytes), ("lengths", lengths), ("blocks", blocks), ("slots", slots)] {
        fs::write(path.with_extension(part), content).expect("OUT_DIR can be written");
    }
}

/// Writes the lengths of all tokens and their bytes, compressed.
fn pack(path: &Path, tokens: &[Vec<u8>]) {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for token in tokens {
        encoder.write_all(&[u8::try_from(token.len()).expect("a token is short")]).expect("memory can be written");
    }
    encoder.write_all(&tokens.concat()).expect("memory can be written");
    let packed = encoder.finish().expect("memory can be written");
    fs::write(path.with_extension("packed"), packed).expect("OUT_DIR can be written");
}
