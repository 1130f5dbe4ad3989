//! RFC 6962 trees against reference trees, and invalid proofs.

use contract::json::Value;
use proptest::prelude::*;
use receipt::{
    Digest,
    merkle::{self, Tree, leaf_hash},
};

use crate::vectors::{self, Known as _, json};

fn digests(value: &Value, name: &str) -> Vec<Digest> {
    value.list(name).iter().map(|hash| hash.as_str().unwrap().parse().unwrap()).collect()
}

fn integer(value: &Value, name: &str) -> u64 {
    value.at(name).to_string().parse().unwrap()
}

fn to_index(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

#[test]
fn reference_tree_matches() {
    let known = json("derived/rfc6962_reference_tree.json");
    let leaf = |hex: &Value| leaf_hash(&hex::decode(hex.as_str().unwrap()).unwrap());
    let leaves: Vec<Digest> = known.list("leaves_hex").iter().map(leaf).collect();
    let tree: Tree = leaves.iter().copied().collect();
    let roots = digests(&known, "roots_hex_by_size");
    for (size, root) in (0_u64..).zip(&roots) {
        assert_eq!(merkle::root(&tree, size), Ok(*root), "{size}");
    }
    for case in known.list("inclusion") {
        let (index, size) = (integer(case, "index"), integer(case, "size"));
        let proof = digests(case, "proof_hex");
        assert_eq!(merkle::inclusion(&tree, index, size), Ok(proof.clone()), "{case}");
        let (leaf, root) = (leaves[to_index(index)], roots[to_index(size)]);
        assert_eq!(merkle::verify_inclusion(leaf, index, size, &proof, root), Ok(()), "{case}");
    }
    for case in known.list("consistency") {
        let (old, new) = (integer(case, "size1"), integer(case, "size2"));
        let proof = digests(case, "proof_hex");
        assert_eq!(merkle::consistency(&tree, old, new), Ok(proof.clone()), "{case}");
        let roots = (roots[to_index(old)], roots[to_index(new)]);
        let result = merkle::verify_consistency(old, new, &proof, roots.0, roots.1);
        assert_eq!(result, Ok(()), "{case}");
    }
}

/// Returns the cases of a directory and its subdirectories.
fn cases(directory: &str) -> Vec<(String, Value)> {
    let mut cases = Vec::new();
    for name in vectors::names(directory) {
        let path = format!("{directory}/{name}");
        if vectors::path(&path).is_file() {
            cases.push((path.clone(), json_with_numbers_as_text(&path)));
        } else {
            cases.extend(self::cases(&path));
        }
    }
    cases
}

/// Parses a file as JSON. Sizes in these files reach 2^63, which `Number` refuses, so numbers
/// become strings.
fn json_with_numbers_as_text(path: &str) -> Value {
    let text: serde_json::Value = serde_json::from_str(&vectors::text(path)).unwrap();
    let mut members = contract::json::Object::new();
    for (name, value) in text.as_object().unwrap() {
        let value: Value = match value {
            serde_json::Value::Number(number) => number.to_string().into(),
            serde_json::Value::Null => Value::Array(Vec::new()),
            other => serde_json::from_value(other.clone()).unwrap(),
        };
        members.insert(name.as_str(), value);
    }
    members.into()
}

/// Parses a base64 hash. Values that are not 32 bytes are replaced by a distinct hash, because
/// `Digest` cannot represent them.
fn hash(value: &Value) -> Option<Digest> {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let bytes = STANDARD.decode(value.as_str()?).ok()?;
    if bytes.is_empty() {
        return None;
    }
    let hash = <[u8; 32]>::try_from(bytes.as_slice());
    Some(hash.map_or_else(|_| Digest::compute_parts(&[b"no hash", &bytes]), Digest::from))
}

fn proof(case: &Value) -> Option<Vec<Digest>> {
    case.list("proof").iter().map(hash).collect()
}

#[test]
fn proofs_of_another_implementation_are_accepted_or_refused_as_expected() {
    let mut accepted = 0;
    let inclusion = cases("rfc6962-merkle/testdata/inclusion");
    assert_eq!(inclusion.len(), 98);
    for (path, case) in inclusion {
        let result = || {
            let (index, size) = (case.text("leafIdx").parse().ok()?, case.text("treeSize"));
            let (leaf, root) = (hash(case.at("leafHash"))?, hash(case.at("root"))?);
            merkle::verify_inclusion(leaf, index, size.parse().ok()?, &proof(&case)?, root).ok()
        };
        let is_valid = case.at("wantErr").as_bool() == Some(false);
        assert_eq!(result().is_some(), is_valid, "{path}");
        accepted += u32::from(is_valid);
    }
    let consistency = cases("rfc6962-merkle/testdata/consistency");
    assert_eq!(consistency.len(), 98);
    for (path, case) in consistency {
        let result = || {
            let (old, new) = (case.text("size1").parse().ok()?, case.text("size2").parse().ok()?);
            let (first, second) = (hash(case.at("root1"))?, hash(case.at("root2"))?);
            merkle::verify_consistency(old, new, &proof(&case)?, first, second).ok()
        };
        // An empty tree has no consistency proof, so such a proof is always refused.
        let is_valid = case.at("wantErr").as_bool() == Some(false) && case.text("size1") != "0";
        assert_eq!(result().is_some(), is_valid, "{path}");
        accepted += u32::from(is_valid);
    }
    assert!(accepted > 10, "{accepted}");
}

fn tree(size: u64) -> Tree {
    (0..size).map(|leaf| leaf_hash(&leaf.to_be_bytes())).collect()
}

proptest! {
    #[test]
    fn every_leaf_has_an_inclusion_proof_in_every_tree(
        size in 1_u64..200,
        position: prop::sample::Index,
    ) {
        let tree = tree(size);
        let index = u64::try_from(position.index(usize::try_from(size).unwrap())).unwrap();
        let (leaf, root) = (leaf_hash(&index.to_be_bytes()), merkle::root(&tree, size).unwrap());
        let proof = merkle::inclusion(&tree, index, size).unwrap();
        prop_assert_eq!(merkle::verify_inclusion(leaf, index, size, &proof, root), Ok(()));
        for other in [index + 1, index ^ 1, index.wrapping_sub(1)] {
            prop_assert!(merkle::verify_inclusion(leaf, other, size, &proof, root).is_err());
        }
        let surplus = [proof.as_slice(), &[root]].concat();
        prop_assert!(merkle::verify_inclusion(leaf, index, size, &surplus, root).is_err());
        if let Some((_, missing)) = proof.split_last() {
            prop_assert!(merkle::verify_inclusion(leaf, index, size, missing, root).is_err());
        }
        prop_assert!(merkle::inclusion(&tree, size, size).is_err());
    }

    #[test]
    fn every_tree_is_consistent_with_every_later_tree(old in 1_u64..200, more in 0_u64..200) {
        let new = old + more;
        let tree = tree(new);
        let roots = (merkle::root(&tree, old).unwrap(), merkle::root(&tree, new).unwrap());
        let proof = merkle::consistency(&tree, old, new).unwrap();
        prop_assert_eq!(merkle::verify_consistency(old, new, &proof, roots.0, roots.1), Ok(()));
        let other = Digest::compute(b"another tree");
        prop_assert!(merkle::verify_consistency(old, new, &proof, other, roots.1).is_err());
        prop_assert!(merkle::verify_consistency(old, new, &proof, roots.0, other).is_err());
        prop_assert!(merkle::verify_consistency(0, new, &proof, roots.0, roots.1).is_err());
        prop_assert!(merkle::consistency(&tree, new + 1, new).is_err());
    }
}
