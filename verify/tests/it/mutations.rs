//! Valid bundles with something changed at random: nothing panics, nothing changed verifies, and the
//! same bytes give the same report.

use std::sync::OnceLock;

use contract::json::{Limits, Value};
use proptest::prelude::*;
use receipt::{
    bundle::{Files, path, read_archive, write_archive, write_json},
    log::{Checkpoint, Note, ProofText, Tile, Vkey},
};
use verify::{Options, Overall, Trust, TrustDocument, verify};

use crate::{
    maker::{Made, Plan, altered},
    outcome::check,
};

/// One valid bundle for all cases.
fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| Plan { steps: vec![1, 2], ..Plan::default() }.make())
}

/// The names of all members, and a place among them.
fn member(files: &Files, at: prop::sample::Index) -> String {
    let names: Vec<&str> = files.names().collect();
    names[at.index(names.len())].to_owned()
}

/// Another value at the place `at` of the tree.
fn replaced(value: &Value, at: &mut usize, new: &Value) -> Value {
    if *at == 0 {
        *at = usize::MAX;
        return new.clone();
    }
    *at -= 1;
    match value {
        Value::Array(elements) => elements.iter().map(|e| replaced(e, at, new)).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, v)| (name.to_owned(), replaced(v, at, new)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(nodes).sum(),
        Value::Object(members) => members.iter().map(|(_, value)| nodes(value)).sum(),
        _ => 0,
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        Just(Value::Array(Vec::new())),
        Just(Value::Object(contract::json::Object::new())),
    ]
}

proptest! {
    #[test]
    fn a_changed_byte_is_found(at: prop::sample::Index, bit in 0_u8..8) {
        let made = made();
        let mut archive = write_archive(&made.chain).unwrap();
        let at = at.index(archive.len());
        archive[at] ^= 1 << bit;
        let report = verify(&archive, &made.trust, &Options::default());
        let files = read_archive(&archive);
        let informational = files.is_ok_and(|mut files| {
            let mut original = made.chain.clone();
            files.remove(path::TRUSTED_KEYS);
            original.remove(path::TRUSTED_KEYS);
            files == original
        });
        prop_assert_eq!(report.overall == Overall::Verified, informational);
        prop_assert_eq!(verify(&archive, &made.trust, &Options::default()), report);
    }

    #[test]
    fn a_changed_value_is_found_even_under_a_new_manifest(
        file: prop::sample::Index,
        at: prop::sample::Index,
        new in any_value(),
    ) {
        let made = made();
        let name = member(&made.chain, file);
        let text = made.chain.get(&name).unwrap();
        let value = Value::parse(text, &Limits::BUNDLE_MEMBER).unwrap();
        let mut place = at.index(nodes(&value));
        let changed = replaced(&value, &mut place, &new);
        let own = [path::MANIFEST, path::MANIFEST_ENVELOPE, path::TRUSTED_KEYS];
        prop_assume!(changed != value && !own.contains(&name.as_str()));
        let files = altered(&made.chain, |files| {
            files.remove(&name);
            files.insert(&*name, changed.to_canonical()).unwrap();
        });
        // Whoever has the manifest's key can change what only the manifest binds: words for people.
        let unbound = name.ends_with("receipt.json") || name.ends_with("anchor.json");
        let report = check(&files, &made.trust);
        prop_assert!(unbound || report.overall != Overall::Verified, "{name}: {changed}");
    }

    #[test]
    fn anything_at_all_has_a_report(bytes in prop::collection::vec(any::<u8>(), 0..4_000)) {
        let trust = Trust::new(TrustDocument::default()).unwrap();
        prop_assert_eq!(verify(&bytes, &trust, &Options::default()).claims.len(), 10);
        prop_assert!(TrustDocument::read(&bytes).is_err());
    }

    #[test]
    fn an_archive_that_is_read_is_written_the_same(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..4), 0..4),
        flip in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
    ) {
        const BLOCK: usize = 512;
        let archive = write_archive(&made().decision).unwrap();
        let mut blocks: Vec<&[u8]> = archive.chunks(BLOCK).collect();
        for (at, what) in cuts {
            let Some(last) = blocks.len().checked_sub(1) else { break };
            let at = at.index(blocks.len());
            match what {
                0 => drop(blocks.remove(at)),
                1 => blocks.insert(at, blocks[at]),
                2 => blocks.swap(at, last),
                _ => blocks.truncate(at + 1),
            }
        }
        let mut bytes = blocks.concat();
        if let Some((at, byte)) = flip.filter(|_| !bytes.is_empty()) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(files) = read_archive(&bytes) {
            prop_assert_eq!(write_archive(&files).unwrap(), bytes);
        }
    }

    #[test]
    fn a_missing_member_is_found(at: prop::sample::Index) {
        let made = made();
        let name = member(&made.decision, at);
        let mut files = made.decision.clone();
        files.remove(&name);
        let verified = check(&files, &made.trust).overall == Overall::Verified;
        prop_assert_eq!(verified, name == path::TRUSTED_KEYS, "{}", name);
    }

    #[test]
    fn the_json_form_is_as_hard_to_change(at: prop::sample::Index, with in "[ -~]") {
        let made = made();
        let text = write_json(&made.decision).unwrap().text;
        let at = at.index(text.len());
        prop_assume!(text.is_char_boundary(at) && text.is_char_boundary(at + 1));
        let changed = [&text[..at], &with, &text[at + 1..]].concat();
        let same = changed == text;
        let report = verify(changed.as_bytes(), &made.trust, &Options::default());
        let keys = text.find("\"trusted_keys.json\":\"").unwrap_or(usize::MAX);
        let informational = (keys..keys + 30).contains(&at);
        prop_assert!(same || informational || report.overall != Overall::Verified, "{}", at);
    }

    #[test]
    fn texts_have_one_form(text in "[ -~\\n—]{0,200}", at: prop::sample::Index) {
        const NOTE: &str = "log.example/1\n5\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— log.example/1 dCgKPgAA\n";
        let at = (0..=at.index(NOTE.len())).rev().find(|at| NOTE.is_char_boundary(*at)).unwrap();
        let (before, after) = NOTE.split_at(at);
        for note in [format!("{before}{text}{after}"), format!("{before}{text}"), text.clone()] {
            if let Ok(read) = Note::read(&note) {
                prop_assert!(note.starts_with(read.text) && read.text.ends_with('\n'));
                if let Ok(checkpoint) = Checkpoint::read(read.text) {
                    prop_assert!(read.text.starts_with(&checkpoint.to_string()));
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

    #[test]
    fn a_text_that_is_read_is_written_and_read_again(
        bytes in prop::collection::vec(prop::sample::select(br#"{}[]",:0129-+.eEtrufalsn\ "#.to_vec()), 0..60),
    ) {
        if let Ok(value) = Value::parse(&bytes, &Limits::BUNDLE_MEMBER) {
            let text = value.to_canonical();
            prop_assert_eq!(Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER), Ok(value));
        }
    }
}
