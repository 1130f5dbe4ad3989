//! Random changes to valid bundles: no input panics, no changed bundle verifies, and the same bytes
//! give the same report.

use std::sync::OnceLock;

use contract::json::{Limits, Value};
use proptest::prelude::*;
use receipt::bundle::{Files, path, read_archive, write_archive, write_json};
use verify::{Options, Overall, Trust, TrustDocument, verify};

use crate::{
    fixtures::{Plan, TestBundles, altered},
    outcome::check,
};

/// Returns the bundles that all cases share.
fn bundles() -> &'static TestBundles {
    static BUNDLES: OnceLock<TestBundles> = OnceLock::new();
    BUNDLES.get_or_init(|| Plan { steps: vec![1, 2], ..Plan::default() }.build())
}

fn random_file(files: &Files, index: prop::sample::Index) -> String {
    let names: Vec<&str> = files.names().collect();
    names[index.index(names.len())].to_owned()
}

/// Returns the tree with `new` instead of the node at position `index`.
fn replaced(value: &Value, index: &mut usize, new: &Value) -> Value {
    if *index == 0 {
        *index = usize::MAX;
        return new.clone();
    }
    *index -= 1;
    match value {
        Value::Array(elements) => elements.iter().map(|e| replaced(e, index, new)).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, v)| (name.to_owned(), replaced(v, index, new)));
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
    fn changed_byte_is_detected(position: prop::sample::Index, bit in 0_u8..8) {
        let bundles = bundles();
        let mut archive = write_archive(&bundles.chain).unwrap();
        let index = position.index(archive.len());
        archive[index] ^= 1 << bit;
        let report = verify(&archive, &bundles.trust, &Options::default());
        let files = read_archive(&archive);
        let is_informational = files.is_ok_and(|mut files| {
            let mut original = bundles.chain.clone();
            files.remove(path::TRUSTED_KEYS);
            original.remove(path::TRUSTED_KEYS);
            files == original
        });
        prop_assert_eq!(report.overall == Overall::Verified, is_informational);
        prop_assert_eq!(verify(&archive, &bundles.trust, &Options::default()), report);
    }

    #[test]
    fn changed_value_is_detected_even_with_a_new_manifest(
        file: prop::sample::Index,
        position: prop::sample::Index,
        new in any_value(),
    ) {
        let bundles = bundles();
        let name = random_file(&bundles.chain, file);
        let text = bundles.chain.get(&name).unwrap();
        let value = Value::parse(text, &Limits::BUNDLE_FILE).unwrap();
        let mut index = position.index(nodes(&value));
        let changed = replaced(&value, &mut index, &new);
        let unchecked = [path::MANIFEST, path::MANIFEST_ENVELOPE, path::TRUSTED_KEYS];
        prop_assume!(changed != value && !unchecked.contains(&name.as_str()));
        let files = altered(&bundles.chain, |files| {
            files.remove(&name);
            files.insert(&*name, changed.to_canonical()).unwrap();
        });
        // With the manifest key, an attacker can change display text that only the manifest binds.
        let is_unbound = name.ends_with("receipt.json") || name.ends_with("anchor.json");
        let report = check(&files, &bundles.trust);
        prop_assert!(is_unbound || report.overall != Overall::Verified, "{name}: {changed}");
    }

    #[test]
    fn any_input_gives_a_report(bytes in prop::collection::vec(any::<u8>(), 0..4_000)) {
        let trust = Trust::new(TrustDocument::default()).unwrap();
        prop_assert_eq!(verify(&bytes, &trust, &Options::default()).claims.len(), 10);
        prop_assert!(TrustDocument::read(&bytes).is_err());
    }

    #[test]
    fn missing_file_is_detected(position: prop::sample::Index) {
        let bundles = bundles();
        let name = random_file(&bundles.decision, position);
        let mut files = bundles.decision.clone();
        files.remove(&name);
        let is_verified = check(&files, &bundles.trust).overall == Overall::Verified;
        prop_assert_eq!(is_verified, name == path::TRUSTED_KEYS, "{}", name);
    }

    #[test]
    fn changed_byte_of_the_json_form_is_detected(position: prop::sample::Index, with in "[ -~]") {
        let bundles = bundles();
        let text = write_json(&bundles.decision).unwrap().text;
        let index = position.index(text.len());
        prop_assume!(text.is_char_boundary(index) && text.is_char_boundary(index + 1));
        let changed = [&text[..index], &with, &text[index + 1..]].concat();
        let same = changed == text;
        let report = verify(changed.as_bytes(), &bundles.trust, &Options::default());
        let keys = text.find("\"trusted_keys.json\":\"").unwrap_or(usize::MAX);
        let is_informational = (keys..keys + 30).contains(&index);
        prop_assert!(same || is_informational || report.overall != Overall::Verified, "{}", index);
    }
}
