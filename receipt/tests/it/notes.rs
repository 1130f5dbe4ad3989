//! Valid and invalid signed notes and checkpoints of other implementations.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::json::Value;
use proptest::prelude::*;
use receipt::{
    key::{PublicKey, SigningKey},
    merkle::{self, Tree, leaf_hash},
    transparency_log::{
        Checkpoint, Note, NoteKey, NoteVerificationError, ProofText, Tile, Vkey, VkeyKind,
    },
};

use crate::vectors::{self, Known as _, json};

/// Returns whether `note` has a valid signature by `vkey`.
fn is_signed_by(note: &str, vkey: &Vkey) -> bool {
    Note::read(note).is_ok_and(|note| note.verify(vkey).is_ok())
}

#[test]
fn specification_notes_are_accepted_or_refused_as_expected() {
    let known = json("derived/c2sp_notes_checkpoints.json");
    for case in known.list("notes") {
        let vkey: Vkey = case.text("vkey").parse().unwrap();
        assert_eq!(vkey.to_string(), case.text("vkey"));
        let is_valid = case.at("valid").as_bool().unwrap();
        assert_eq!(is_signed_by(case.text("note"), &vkey), is_valid, "{}", case.text("desc"));
    }
}

#[test]
fn checkpoints_match_the_tree() {
    let known = json("derived/c2sp_notes_checkpoints.json");
    let leaves = known.list("tessera_leaves_utf8").iter();
    let tree: Tree = leaves.map(|leaf| leaf_hash(leaf.as_str().unwrap().as_bytes())).collect();
    let checkpoints = known.list("checkpoints");
    assert_eq!(checkpoints.len(), 16);
    for case in checkpoints {
        let vkey: Vkey = case.text("vkey").parse().unwrap();
        let text = case.text("checkpoint");
        assert_eq!(is_signed_by(text, &vkey), case.at("valid").as_bool().unwrap(), "{case}");
        let note = Note::read(text).unwrap();
        let checkpoint = Checkpoint::read(note.text).unwrap();
        assert_eq!(checkpoint.to_string(), note.text);
        assert_eq!(STANDARD.encode(checkpoint.root.as_bytes()), case.text("root_b64"));
        assert_eq!(Ok(checkpoint.root), merkle::root(&tree, checkpoint.size));
    }
}

#[test]
fn malformed_notes_are_refused() {
    let known = json("derived/c2sp_notes_checkpoints.json");
    let note = known.list("notes")[0].text("note");
    assert!(Note::read(note).is_ok());
    let text = "This is an example message.\n";
    let line = note.strip_prefix(&format!("{text}\n")).unwrap();
    for bad in [
        String::new(),
        text.to_owned(),
        format!("{text}\n"),
        note.replacen("— ", "- ", 1),
        note.replacen("example.com/foo ", "example.com+foo ", 1),
        note.replacen("example.com/foo ", " ", 1),
        format!("{note}\n"),
        format!("{text}\n{}", line.repeat(101)),
        note.replacen("Uw2QO", "Uw2Q", 1),
        note.replacen('\n', "\r\n", 1),
        format!("{note}{}", "x".repeat(1_000_000)),
    ] {
        let excerpt: String = bad.chars().take(200).collect();
        assert!(Note::read(&bad).is_err(), "{excerpt}");
    }
    // If two signatures name the same key, both must be valid.
    let vkey: Vkey = known.list("notes")[0].text("vkey").parse().unwrap();
    let wrong = line.replacen("Uw2QOkn8", "Uw2QOkn9", 1);
    for (lines, expected) in [
        (line.repeat(2), Ok(())),
        (format!("{line}{wrong}"), Err(NoteVerificationError::Wrong)),
        (format!("{wrong}{line}"), Err(NoteVerificationError::Wrong)),
    ] {
        let note = format!("{text}\n{lines}");
        assert_eq!(Note::read(&note).unwrap().verify(&vkey), expected);
    }
}

#[test]
fn malformed_checkpoints_are_refused() {
    let root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    assert!(Checkpoint::read(&format!("log\n0\n{root}\n")).is_ok());
    assert!(Checkpoint::read(&format!("log\n0\n{root}\nfurther line\n")).is_ok());
    for text in [
        String::new(),
        format!("log\n0\n{root}"),
        format!("\n0\n{root}\n"),
        format!("log\n00\n{root}\n"),
        format!("log\n+1\n{root}\n"),
        format!("log\n-1\n{root}\n"),
        format!("log\n18446744073709551616\n{root}\n"),
        format!("log\n0\n{}\n", &root[4..]),
        format!("log\n0\n{}\n", root.trim_end_matches('=')),
        format!("log\n0\n{root}\n\n"),
        "log\n0\n".to_owned(),
    ] {
        assert!(Checkpoint::read(&text).is_err(), "{text:?}");
    }
}

#[test]
fn malformed_verifier_keys_are_refused() {
    let known = json("derived/c2sp_notes_checkpoints.json");
    let vkey = known.list("notes")[0].text("vkey");
    assert!(vkey.parse::<Vkey>().is_ok());
    let vkey = known.list("checkpoints")[0].text("vkey");
    assert!(vkey.parse::<Vkey>().is_ok());
    for bad in [
        vkey.replacen("33d7b496", "33d7b497", 1),
        vkey.replacen("33d7b496", "33D7B496", 1),
        vkey.replacen("example.com", "example com", 1),
        vkey.replacen("+AeHT", "+AuHT", 1),
        format!("{vkey}A"),
        vkey.replacen('+', "", 1),
    ] {
        assert!(bad.parse::<Vkey>().is_err(), "{bad}");
    }
}

#[test]
fn oracle_log_and_witness_signatures_match() {
    let oracle = crate::oracle::oracle();
    let keys = oracle.at("test_keys");
    let signer =
        |name: &str| SigningKey::from_seed(keys.at(name).bytes("seed_hex").try_into().unwrap());
    let log = oracle.at("log");
    let key = NoteKey::new(log.text("origin"), VkeyKind::Note, signer("log")).unwrap();
    assert_eq!(key.vkey().to_string(), oracle.at("vkeys").text("log"));
    for (checkpoint, root) in log.list("checkpoints").iter().zip(log.list("roots")) {
        let known = checkpoint.as_str().unwrap();
        let checkpoint = Checkpoint::read(Note::read(known).unwrap().text).unwrap();
        assert_eq!(checkpoint.root.to_string(), root.as_str().unwrap());
        assert_eq!(checkpoint.tree_id(), log.text("tree_id"));
        assert_eq!(key.sign(&checkpoint.to_string()).unwrap(), known);
    }
    let witness: Vkey = oracle.at("vkeys").text("witness").parse().unwrap();
    let cosigned = log.text("checkpoint_5_cosigned");
    let note = Note::read(cosigned).unwrap();
    let seconds = note.verify_cosignature(&witness).unwrap();
    let witness_key =
        NoteKey::new(witness.name(), VkeyKind::Cosignature, signer("witness")).unwrap();
    let line = witness_key.cosign(&note, seconds).unwrap();
    assert!(cosigned.ends_with(&line), "{line}");
    // A witness signs only cosignatures, and a log only the text.
    assert_eq!(note.verify(&witness), Err(NoteVerificationError::Absent));
    assert_eq!(note.verify_cosignature(key.vkey()), Err(NoteVerificationError::Absent));
    let other = cosigned.replacen("\n5\n", "\n6\n", 1);
    let other = Note::read(&other).unwrap();
    assert_eq!(other.verify_cosignature(&witness), Err(NoteVerificationError::Wrong));
    assert_eq!(other.verify(key.vkey()), Err(NoteVerificationError::Wrong));
}

/// Returns the verifier key of a log. Its key is the last 32 bytes of the SPKI form.
fn rekor_log(root: &Value, origin: &str) -> Option<Vkey> {
    let log = root.list("tlogs").iter().find(|log| log.text("baseUrl").ends_with(origin))?;
    let bytes = STANDARD.decode(log.at("publicKey").text("rawBytes")).ok()?;
    let key = PublicKey::from_bytes(bytes.last_chunk()?).ok()?;
    Vkey::new(origin, VkeyKind::Note, key).ok()
}

#[test]
fn public_log_proofs_and_checkpoints_are_accepted_or_refused_as_expected() {
    const ORIGIN: &str = "log2025-alpha1.rekor.sigstage.dev";
    let mut count = 0;
    for name in vectors::names("sigstore-rekor-cases") {
        let directory = format!("sigstore-rekor-cases/{name}");
        // The other cases use a log with an ECDSA key, or test the artifact instead of the log.
        if !name.starts_with("rekor2-") {
            continue;
        }
        let bundle: serde_json::Value =
            serde_json::from_str(&vectors::text(&format!("{directory}/bundle.sigstore.json")))
                .unwrap();
        let entry = &bundle["verificationMaterial"]["tlogEntries"][0];
        let trusted: Value =
            serde_json::from_str(&vectors::text(&format!("{directory}/trusted_root.json")))
                .unwrap();
        let log = rekor_log(&trusted, ORIGIN).unwrap();
        let result = || {
            let proof = &entry["inclusionProof"];
            let note = Note::read(proof["checkpoint"]["envelope"].as_str()?).ok()?;
            note.verify(&log).ok()?;
            let checkpoint = Checkpoint::read(note.text).ok()?;
            let body = STANDARD.decode(entry["canonicalizedBody"].as_str()?).ok()?;
            let hashes = proof["hashes"].as_array()?.iter().map(|hash| {
                let bytes = STANDARD.decode(hash.as_str()?).ok()?;
                Some(<[u8; 32]>::try_from(bytes).ok()?.into())
            });
            let hashes: Option<Vec<_>> = hashes.collect();
            let index = proof["logIndex"].as_str()?.parse().ok()?;
            let leaf = leaf_hash(&body);
            merkle::verify_inclusion(leaf, index, checkpoint.size, &hashes?, checkpoint.root).ok()
        };
        assert_eq!(result().is_some(), !name.ends_with("_fail"), "{name}");
        count += 1;
    }
    assert_eq!(count, 12);
}

proptest! {
    #[test]
    fn notes_proofs_tiles_and_keys_have_exactly_one_text(text in "[ -~\\n—]{0,200}", position: prop::sample::Index) {
        const NOTE: &str = "log.example/1\n5\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— log.example/1 dCgKPgAA\n";
        let index =
            (0..=position.index(NOTE.len())).rev().find(|at| NOTE.is_char_boundary(*at)).unwrap();
        let (before, after) = NOTE.split_at(index);
        for note in [format!("{before}{text}{after}"), format!("{before}{text}"), text.clone()] {
            if let Ok(parsed) = Note::read(&note) {
                prop_assert!(note.starts_with(parsed.text) && parsed.text.ends_with('\n'));
                if let Ok(checkpoint) = Checkpoint::read(parsed.text) {
                    prop_assert!(parsed.text.starts_with(&checkpoint.to_string()));
                }
            }
            if let Ok(proof) = ProofText::read(&note) {
                prop_assert_eq!(proof.to_string(), note);
            }
        }
        if let Ok(tile) = text.parse::<Tile>() {
            prop_assert_eq!(tile.to_string(), text.as_str());
        }
        if let Ok(vkey) = text.parse::<Vkey>() {
            prop_assert_eq!(vkey.to_string(), text.as_str());
        }
    }
}
