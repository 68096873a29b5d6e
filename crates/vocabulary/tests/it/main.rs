//! Counts and pieces are exactly those of `bpe-openai`, over texts of many kinds.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

use deed_vocabulary::{Vocabulary, cl100k_base, o200k_base};
use proptest::prelude::*;
use std::sync::LazyLock;

fn pairs() -> [(&'static Vocabulary, &'static bpe_openai::Tokenizer); 2] {
    [(o200k_base(), bpe_openai::o200k_base()), (cl100k_base(), bpe_openai::cl100k_base())]
}

#[track_caller]
fn same(text: &str) {
    for (own, peer) in pairs() {
        assert_eq!(own.split(text).collect::<Vec<_>>(), peer.split(text).collect::<Vec<_>>(), "{text:?}");
        assert_eq!(own.count(text), peer.count(text), "{text:?}");
    }
}

#[test]
fn tokens_are_those_of_the_peer() {
    for (own, peer) in pairs() {
        let all = u32::try_from(peer.bpe.num_tokens()).unwrap();
        assert!(own.tokens().eq((0..all).map(|rank| peer.bpe.token_bytes(rank))));
    }
}

/// Pieces that are long, of one byte again and again, and not text at all: the merges of the piece itself.
#[test]
fn long_pieces_are_merged_alike() {
    let mut pieces: Vec<Vec<u8>> = ["a", "ab", "=", "-=", "\u{4e00}", "é", "\u{1f600}", "0", "xyz1"]
        .iter()
        .flat_map(|unit| [1, 2, 3, 17, 128, 129, 1000, 5000].map(|times| unit.repeat(times).into_bytes()))
        .collect();
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u8
    };
    pieces.extend((0..300).map(|length| (0..length).map(|_| random()).collect()));
    pieces.extend((0..50).map(|_| (0..400).map(|_| b"etaoin shrdlu"[usize::from(random() % 13)]).collect()));
    for piece in pieces {
        for (own, peer) in pairs() {
            assert_eq!(own.count_piece(&piece), peer.bpe.count(&piece), "{piece:?}");
        }
    }
}

#[test]
fn the_repository_is_counted_alike() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open = vec![root.join("docs"), root.join("packs"), root.join("examples"), root.join("crates/vocabulary")];
    let mut files = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            same(&text);
            files += 1;
        }
    }
    assert!(files > 50, "{files} files");
}

/// Texts of many kinds: any characters, words, numbers, blanks and line ends, contractions, several scripts.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,200}",
        "[\\x00-\\x7f]{0,200}",
        "([A-Z]{0,3}[a-z]{0,8}('(s|T|re|VE|m|ll|D|x))?|[0-9]{1,7}|[ \\n\\r\\t]{0,4}|[/._<>{}\"=-]{0,4}){0,40}",
        "(\\p{Greek}{1,5}|\\p{Cyrillic}{1,5}|\\p{Han}{1,4}|\\p{Arabic}{1,4}|\\p{Hangul}{1,3}|\\p{M}|\\p{Lt}|\\p{Lm}|\\p{N}| |\\u{3000}|\\u{a0}|\\u{85}|\\n|'){0,40}",
        prop::collection::vec(0..199_998_usize, 0..40).prop_map(tokens),
    ]
}

fn tokens(ranks: Vec<usize>) -> String {
    static ALL: LazyLock<Vec<&[u8]>> = LazyLock::new(|| o200k_base().tokens().collect());
    let bytes: Vec<u8> = ranks.iter().flat_map(|rank| ALL[*rank].iter().copied()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_counted_alike(text in text()) {
        same(&text);
    }
}
