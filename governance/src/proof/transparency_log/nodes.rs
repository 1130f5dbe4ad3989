//! The nodes of a stored tree, read by tiles. A proof needs only a few tiles, even of a large tree, and one
//! statement reads them all.

use receipt::{
    merkle::NodeSource,
    transparency_log::{Tile, TileNodes},
};

use crate::base::prelude::*;

/// Tiles of a tree, as loaded.
#[derive(Debug)]
pub(super) struct Nodes {
    size: u64,
    tiles: BTreeMap<Tile, Vec<u8>>,
}

/// Selects tiles. The hashes of level 0 are stored in the entries themselves.
// SQL: one statement reads all tiles of a proof, each as one value.
const SELECT_TILES: &str = "SELECT CASE WHEN t.level = 0 \
     THEN (SELECT string_agg(e.leaf_hash, ''::bytea ORDER BY e.index) FROM log_entries e \
         WHERE e.tree = $1 AND e.index >= t.since AND e.index < t.until) \
     ELSE (SELECT string_agg(n.hash, ''::bytea ORDER BY n.index) FROM log_nodes n \
         WHERE n.tree = $1 AND n.level = t.level AND n.index >= t.since AND n.index < t.until) \
     END FROM unnest($2::int[], $3::bigint[], $4::bigint[]) \
     WITH ORDINALITY AS t (level, since, until, ordinal) ORDER BY t.ordinal";

impl Nodes {
    /// Loads `tiles` of a tree of `size` entries.
    pub(super) async fn read(
        db: &impl ConnectionTrait,
        tree: i16,
        size: u64,
        tiles: Vec<Tile>,
    ) -> Result<Self> {
        let mut columns: (Vec<i32>, Vec<i64>, Vec<i64>) = Default::default();
        for tile in &tiles {
            let range = tile.range();
            columns.0.push(tile.level.map_or(-1, i32::from));
            columns.1.push(column(range.start)?);
            columns.2.push(column(range.end)?);
        }
        let values = [tree.into(), columns.0.into(), columns.1.into(), columns.2.into()];
        // A tree without entries has no tiles.
        let rows = if tiles.is_empty() {
            Vec::new()
        } else {
            db.query_all_raw(statement(SELECT_TILES, values)).await?
        };
        let mut by_tile = BTreeMap::new();
        for (tile, row) in tiles.into_iter().zip(rows) {
            by_tile.insert(tile, row.try_get_by_index::<Option<Vec<u8>>>(0)?.unwrap_or_default());
        }
        Ok(Self { size, tiles: by_tile })
    }

    /// Returns the bytes of a tile if it is complete.
    pub(super) fn tile(&self, tile: Tile) -> Option<&[u8]> {
        let byte_len = 32 * usize::from(tile.width);
        self.tiles.get(&tile).map(Vec::as_slice).filter(|bytes| bytes.len() == byte_len)
    }
}

impl NodeSource for Nodes {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let read = |tile| self.tile(tile).map(<[u8]>::to_vec);
        TileNodes { size: self.size, read }.node(level, index)
    }
}

/// Converts a number to the type of its column.
pub(super) fn column(number: u64) -> Result<i64> {
    Ok(i64::try_from(number)?)
}

/// Converts a column to a number. Stored numbers are never negative.
pub(super) fn number(column: i64) -> u64 {
    u64::try_from(column).unwrap_or_default()
}
