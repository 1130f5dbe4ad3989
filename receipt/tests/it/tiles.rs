//! Tiles and entry bundles against a complete log of another implementation.

use std::collections::BTreeMap;

use proptest::prelude::*;
use receipt::{
    Digest,
    merkle::{self, IncrementalTree, Tree, leaf_hash},
    transparency_log::{
        Checkpoint, Note, RequiredTiles, Tile, TileNodes, decode_entries, encode_entries, new_tiles,
    },
};

use crate::vectors;

const LOG: &str = "tessera-log/testdata/log";

#[test]
fn log_is_read_from_its_tiles() {
    let read_tile = |tile: Tile| Some(vectors::bytes(&format!("{LOG}/{tile}")));
    let bundle = vectors::bytes(&format!("{LOG}/tile/entries/000.p/15"));
    let entries = decode_entries(&bundle).unwrap();
    assert_eq!(entries[..3], [b"one".as_slice(), b"two", b"three"]);
    let leaves: Vec<Digest> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    for size in 1..=15_u64 {
        let nodes = TileNodes { size, read: read_tile };
        let note = vectors::text(&format!("{LOG}/checkpoint.{size}"));
        let checkpoint = Checkpoint::read(Note::read(&note).unwrap().text).unwrap();
        assert_eq!(merkle::root(&nodes, size), Ok(checkpoint.root), "{size}");
        for (index, leaf) in (0..size).zip(&leaves) {
            let proof = merkle::inclusion(&nodes, index, size).unwrap();
            let result = merkle::verify_inclusion(*leaf, index, size, &proof, checkpoint.root);
            assert_eq!(result, Ok(()), "{index} of {size}");
        }
    }
}

#[test]
fn written_tiles_match_the_reference_log() {
    let bundle = vectors::bytes(&format!("{LOG}/tile/entries/000.p/15"));
    let entries = decode_entries(&bundle).unwrap();
    let tree: Tree = entries.iter().map(|entry| leaf_hash(entry)).collect();
    for size in 1..=15 {
        for tile in new_tiles(size - 1, size) {
            let known = vectors::bytes(&format!("{LOG}/{tile}"));
            let bytes = match tile.level {
                Some(_) => tile.hashes(&tree).unwrap(),
                None => encode_entries(entries[..usize::from(tile.width)].iter().copied()).unwrap(),
            };
            assert_eq!(bytes, known, "{tile}");
        }
    }
}

#[test]
fn tile_has_exactly_one_path() {
    let new = |level, index, width| Tile { level, index, width };
    for (path, tile) in [
        ("tile/0/000", new(Some(0), 0, 256)),
        ("tile/1/067.p/5", new(Some(1), 67, 5)),
        ("tile/entries/x123/456.p/1", new(None, 123_456, 1)),
        ("tile/7/x001/x234/067", new(Some(7), 1_234_067, 256)),
    ] {
        assert_eq!(tile.to_string(), path);
        assert_eq!(path.parse(), Ok(tile));
    }
    let malformed = "\
        tile tile/0 tile/0/ tile/0/0 tile/00/000 tile/8/000 tile/-1/000 tile/0/000.p/0 \
        tile/0/000.p/256 tile/0/000.p/257 tile/0/000.p/01 tile/0/x000/001 tile/0/001/002 \
        tile/0/x001/x002 tile/0/+01 tile/0/x99/999 tile/0/../000 \
        tile/0/x018/x446/x744/x073/x709/x551/616 /tile/0/000";
    for path in malformed.split(' ').chain([""]) {
        assert!(path.parse::<Tile>().is_err(), "{path}");
    }
}

#[test]
fn entry_bundle_has_exactly_one_form() {
    let long = vec![7; 65_535];
    let bundle = encode_entries([b"".as_slice(), b"a", &long]).unwrap();
    assert_eq!(decode_entries(&bundle).unwrap(), [b"".as_slice(), b"a", &long]);
    assert!(encode_entries([vec![7; 65_536].as_slice()]).is_err());
    for cut in [1, 3, bundle.len() - 1] {
        assert!(decode_entries(&bundle[..bundle.len() - cut]).is_err(), "{cut}");
    }
    assert!(decode_entries(&[0]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn stored_tiles_are_sufficient_for_all_proofs(steps in prop::collection::vec(1_u64..700, 1..4)) {
        let (mut tree, mut stored, mut size) = (Tree::default(), BTreeMap::new(), 0);
        for step in steps {
            (size..size + step).for_each(|leaf| tree.push(leaf_hash(&leaf.to_be_bytes())));
            for tile in new_tiles(size, size + step) {
                if let Some(hashes) = tile.hashes(&tree) {
                    stored.insert(tile, hashes);
                }
            }
            size += step;
            let nodes = TileNodes { size, read: |tile| stored.get(&tile).cloned() };
            prop_assert_eq!(merkle::root(&nodes, size), merkle::root(&tree, size));
            for index in [0, size / 2, size - 1] {
                let proof = merkle::inclusion(&nodes, index, size);
                prop_assert!(proof.is_ok());
                prop_assert_eq!(&proof, &merkle::inclusion(&tree, index, size));
                // The tiles reported by `RequiredTiles` are sufficient for the same proof.
                let required = RequiredTiles::record(size, |nodes| merkle::inclusion(nodes, index, size));
                let read = |tile| required.contains(&tile).then(|| stored.get(&tile).cloned()).flatten();
                prop_assert_eq!(proof, merkle::inclusion(&TileNodes { size, read }, index, size));
            }
        }
    }

    #[test]
    fn incremental_tree_matches_the_complete_tree(
        initial in 0_u64..2_000, added in 0_u64..1_500,
    ) {
        let leaf = |leaf: u64| leaf_hash(&leaf.to_be_bytes());
        let mut tree: Tree = (0..initial).map(leaf).collect();
        let old_root = merkle::root(&tree, initial).unwrap();
        let mut incremental = IncrementalTree::new(&tree, initial).unwrap();
        prop_assert_eq!(merkle::root(&incremental, initial), Ok(old_root));
        for next in initial..initial + added {
            tree.push(leaf(next));
            incremental.push(leaf(next));
        }
        let size = initial + added;
        prop_assert_eq!(incremental.size(), size);
        let new_root = merkle::root(&tree, size).unwrap();
        prop_assert_eq!(merkle::root(&incremental, size), Ok(new_root));
        if initial > 0 {
            let proof = merkle::consistency(&incremental, initial, size).unwrap();
            let result = merkle::verify_consistency(initial, size, &proof, old_root, new_root);
            prop_assert_eq!(result, Ok(()));
        }
        for level in [0, 8] {
            let completed: Vec<_> = incremental.completed(level).collect();
            let expected = (initial >> level..size >> level)
                .map(|index| (index, merkle::NodeSource::node(&tree, level, index).unwrap()));
            prop_assert_eq!(completed, expected.collect::<Vec<_>>());
        }
    }
}
