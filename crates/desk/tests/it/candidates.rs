//! Laws of candidates: one that cites what it was shown is read as it was meant, every single fault refuses it and no other, and
//! the same of values that a corrector proposes.

use deed_canon::ContentHash;
use deed_desk::{CorrectablePlace, Correction, CorrectionSource, DistillPolicy, Distillation, DistilledPiece};
use deed_model::{PatchOp, Rung};
use proptest::prelude::*;
use serde_json::{Value, json};

const WORDS: [&str; 8] = ["refund", "card", "voucher", "bern", "monday", "late", "paid", "tea"];

fn text(words: &[usize]) -> Value {
    Value::String(words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" "))
}

fn distillation<'a>(texts: &'a [Value], paths: &'a [String]) -> Distillation<'a> {
    let piece = |(path, content): (&'a String, &'a Value)| DistilledPiece {
        path,
        sha256: ContentHash::of_bytes(path.as_bytes()),
        bytes: 1,
        content,
    };
    Distillation {
        contract: "sha256:plan",
        outcome: "succeeded",
        run: "objective: x",
        pieces: paths.iter().zip(texts).map(piece).collect(),
        policy: DistillPolicy { classes: vec!["preference"], tiers: vec!["semantic"], intents: vec![], rules: "" },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_candidate_that_cites_what_it_was_shown_is_read_and_every_single_fault_refuses_it_alone(
        files in prop::collection::vec(prop::collection::vec(0_usize..8, 2..12), 1..4),
        picks in prop::collection::vec((0_usize..4, 0_usize..12, 1_usize..5), 1..6),
        at in 0_usize..6, fault in 0_usize..7,
    ) {
        let texts: Vec<Value> = files.iter().map(|words| text(words)).collect();
        let paths: Vec<String> = (0..files.len()).map(|place| format!("output/{place}.txt")).collect();
        let own = distillation(&texts, &paths);
        let form = own.form().unwrap();
        let entry = |(file, from, count): &(usize, usize, usize)| {
            let file = file % files.len();
            let words = &files[file];
            let from = from % words.len();
            let quoted = &words[from..(from + count).min(words.len())];
            json!({
                "statement": format!("it says {}", WORDS[quoted[0]]), "class": "preference", "tier": "semantic",
                "subject": "*", "intent": "*", "confidence": 0.5,
                // Lines and case make no difference.
                "evidence": [{ "path": paths[file], "quote": text(quoted).as_str().unwrap().to_uppercase().replace(' ', "\n") }],
            })
        };
        let mut listed: Vec<Value> = picks.iter().map(entry).collect();
        let read = own.read(&form, &json!({ "candidates": listed }).to_string()).unwrap();
        for (answer, pick) in read.iter().zip(&picks) {
            let candidate = answer.candidate.as_ref().unwrap();
            let path = &paths[pick.0 % files.len()];
            prop_assert_eq!(&candidate.artifacts[0].path, path);
            prop_assert_eq!(candidate.artifacts[0].sha256, ContentHash::of_bytes(path.as_bytes()));
        }
        let at = at % listed.len();
        match fault {
            0 => listed[at]["evidence"] = json!([]),
            1 => listed[at]["evidence"][0]["path"] = json!("output/elsewhere.txt"),
            2 => listed[at]["evidence"][0]["quote"] = json!("nobody said this"),
            3 => listed[at]["evidence"][0]["quote"] = json!("  \n"),
            4 => listed[at]["evidence"][0]["quote"] = json!("[7]"),
            5 => listed[at]["statement"] = json!(" "),
            _ => listed[at]["statement"] = json!("x".repeat(500)),
        }
        let read = own.read(&form, &json!({ "candidates": listed }).to_string()).unwrap();
        let refused: Vec<usize> = (0..read.len()).filter(|place| read[*place].candidate.is_err()).collect();
        prop_assert_eq!(refused, vec![at]);
    }

    #[test]
    fn no_text_panics(answer in "\\PC{0,200}") {
        let (texts, paths) = ([text(&[0, 1])], ["output/0.txt".to_owned()]);
        let own = distillation(&texts, &paths);
        let _ = own.read(&own.form().unwrap(), &answer);
        let _ = deed_desk::distilled_statements(&answer);
    }

    #[test]
    fn a_corrector_replaces_listed_values_alone(
        chosen in 0_usize..3, confidence in 0_u16..=1000, value in prop_oneof![Just(json!("paid")), Just(json!(3)), Just(json!(null))],
        fault in 0_usize..5,
    ) {
        let payload = json!({ "a": "x", "b": { "c": 1 }, "d": [true] });
        let pointers = ["/a", "/b/c", "/d/0"];
        let source = Value::String("It was paid on Monday.".to_owned());
        let own = Correction {
            contract: "sha256:contract", artifact: ContentHash::of_bytes(b"x"), path: "output/a.json", payload: &payload,
            rules: "{}", rung: Rung::L2, finds: false, left_out: &[], most_edits: 3,
            places: pointers.iter().map(|pointer| CorrectablePlace {
                pointer: (*pointer).to_owned(), value: payload.pointer(pointer).unwrap(), wrong: "wrong".to_owned(),
            }).collect(),
            sources: vec![CorrectionSource { path: "input/a.txt", content: &source }],
        };
        let form = own.form().unwrap();
        let pointer = pointers[chosen];
        let stated = f64::from(confidence) / 1000.0;
        let mut answer = json!({
            "proposals": [{ "path": pointer, "value": value, "source": "paid on monday", "confidence": stated }],
            "findings": [{ "path": "/a", "message": "odd", "severity": "error" }],
        });
        let read = own.read(&form, &answer.to_string()).unwrap();
        // Findings were not asked for.
        prop_assert_eq!(read.proposals.len(), 1);
        let proposal = &read.proposals[0];
        let before = payload.pointer(pointer).unwrap().clone();
        let meant = [
            PatchOp::Test { path: pointer.to_owned(), value: before },
            PatchOp::Replace { path: pointer.to_owned(), value: value.into() },
        ];
        prop_assert_eq!(&proposal.patch[..], &meant[..]);
        prop_assert!(proposal.confidence <= confidence && proposal.confidence + 1 >= confidence);
        match fault {
            0 => answer["proposals"][0]["path"] = json!("/b"),
            1 => answer["proposals"][0]["source"] = json!("it was never settled"),
            2 => answer["proposals"][0]["value"] = json!({ "more": 1 }),
            3 => answer["proposals"][0]["confidence"] = json!(1.5),
            _ => {
                let twice = answer["proposals"][0].clone();
                answer["proposals"].as_array_mut().unwrap().push(twice);
            }
        }
        prop_assert!(own.read(&form, &answer.to_string()).is_err(), "{}", answer);
    }
}
