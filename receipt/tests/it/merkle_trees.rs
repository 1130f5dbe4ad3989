//! RFC 6962 trees against reference trees, and proofs that must not hold.

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

fn whole(value: &Value, name: &str) -> u64 {
    value.at(name).to_string().parse().unwrap()
}

fn at(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

#[test]
fn a_reference_tree() {
    let known = json("derived/rfc6962_reference_tree.json");
    let leaf = |hex: &Value| leaf_hash(&hex::decode(hex.as_str().unwrap()).unwrap());
    let leaves: Vec<Digest> = known.list("leaves_hex").iter().map(leaf).collect();
    let tree: Tree = leaves.iter().copied().collect();
    let roots = digests(&known, "roots_hex_by_size");
    for (size, root) in (0_u64..).zip(&roots) {
        assert_eq!(merkle::root(&tree, size), Ok(*root), "{size}");
    }
    for case in known.list("inclusion") {
        let (index, size) = (whole(case, "index"), whole(case, "size"));
        let proof = digests(case, "proof_hex");
        assert_eq!(merkle::inclusion(&tree, index, size), Ok(proof.clone()), "{case}");
        let (leaf, root) = (leaves[at(index)], roots[at(size)]);
        assert_eq!(merkle::verify_inclusion(leaf, index, size, &proof, root), Ok(()), "{case}");
    }
    for case in known.list("consistency") {
        let (old, new) = (whole(case, "size1"), whole(case, "size2"));
        let proof = digests(case, "proof_hex");
        assert_eq!(merkle::consistency(&tree, old, new), Ok(proof.clone()), "{case}");
        let roots = (roots[at(old)], roots[at(new)]);
        let verified = merkle::verify_consistency(old, new, &proof, roots.0, roots.1);
        assert_eq!(verified, Ok(()), "{case}");
    }
}

/// The cases of a folder and of the folders in it.
fn cases(folder: &str) -> Vec<(String, Value)> {
    let mut cases = Vec::new();
    for name in vectors::names(folder) {
        let path = format!("{folder}/{name}");
        if vectors::path(&path).is_file() {
            cases.push((path.clone(), json_of_bits(&path)));
        } else {
            cases.extend(self::cases(&path));
        }
    }
    cases
}

/// Sizes in these files go to 2^63, which our reader refuses on purpose; so they become texts.
fn json_of_bits(path: &str) -> Value {
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

/// A hash in base64. For words in its place, which ours cannot be, a hash stands in.
fn hash(value: &Value) -> Option<Digest> {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let bytes = STANDARD.decode(value.as_str()?).ok()?;
    if bytes.is_empty() {
        return None;
    }
    let hash = <[u8; 32]>::try_from(bytes.as_slice());
    Some(hash.map_or_else(|_| Digest::of_parts(&[b"no hash", &bytes]), Digest::from))
}

fn proof(case: &Value) -> Option<Vec<Digest>> {
    case.list("proof").iter().map(hash).collect()
}

#[test]
fn proofs_of_another_implementation_and_what_was_done_to_them() {
    let mut accepted = 0;
    let inclusion = cases("rfc6962-merkle/testdata/inclusion");
    assert_eq!(inclusion.len(), 98);
    for (path, case) in inclusion {
        let verified = || {
            let (index, size) = (case.text("leafIdx").parse().ok()?, case.text("treeSize"));
            let (leaf, root) = (hash(case.at("leafHash"))?, hash(case.at("root"))?);
            merkle::verify_inclusion(leaf, index, size.parse().ok()?, &proof(&case)?, root).ok()
        };
        let good = case.at("wantErr").as_bool() == Some(false);
        assert_eq!(verified().is_some(), good, "{path}");
        accepted += u32::from(good);
    }
    let consistency = cases("rfc6962-merkle/testdata/consistency");
    assert_eq!(consistency.len(), 98);
    for (path, case) in consistency {
        let verified = || {
            let (old, new) = (case.text("size1").parse().ok()?, case.text("size2").parse().ok()?);
            let (first, second) = (hash(case.at("root1"))?, hash(case.at("root2"))?);
            merkle::verify_consistency(old, new, &proof(&case)?, first, second).ok()
        };
        // From an empty tree nothing can be shown, so that such a proof is refused whatever it says.
        let good = case.at("wantErr").as_bool() == Some(false) && case.text("size1") != "0";
        assert_eq!(verified().is_some(), good, "{path}");
        accepted += u32::from(good);
    }
    assert!(accepted > 10, "{accepted}");
}

fn tree(size: u64) -> Tree {
    (0..size).map(|leaf| leaf_hash(&leaf.to_be_bytes())).collect()
}

proptest! {
    #[test]
    fn every_leaf_is_shown_to_be_in_every_later_tree(size in 1_u64..200, at: prop::sample::Index) {
        let tree = tree(size);
        let index = u64::try_from(at.index(usize::try_from(size).unwrap())).unwrap();
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
    fn every_tree_is_the_beginning_of_every_later_one(old in 1_u64..200, more in 0_u64..200) {
        let new = old + more;
        let tree = tree(new);
        let roots = (merkle::root(&tree, old).unwrap(), merkle::root(&tree, new).unwrap());
        let proof = merkle::consistency(&tree, old, new).unwrap();
        prop_assert_eq!(merkle::verify_consistency(old, new, &proof, roots.0, roots.1), Ok(()));
        let other = Digest::of(b"another tree");
        prop_assert!(merkle::verify_consistency(old, new, &proof, other, roots.1).is_err());
        prop_assert!(merkle::verify_consistency(old, new, &proof, roots.0, other).is_err());
        prop_assert!(merkle::verify_consistency(0, new, &proof, roots.0, roots.1).is_err());
        prop_assert!(merkle::consistency(&tree, new + 1, new).is_err());
    }
}
