//! The key of a tree. It grows from the signing key with which the tree begins, and its seed is kept,
//! sealed: the signing key may be replaced while the tree goes on.

use receipt::{
    key::SigningKey,
    log::{NoteKey, VkeyKind},
};
use zeroize::Zeroizing;

use super::tree::{self, Tree};
use crate::{
    Governance,
    error::{Error, Result},
    secret::Sealed,
};

/// What seeds of trees are sealed for.
const SEALED_FOR: &str = "log";

/// What a key grows from.
type Seed = Zeroizing<[u8; 32]>;

/// The seed that grows from the signing key, if there is one.
pub(super) fn grown(governance: &Governance) -> Option<Seed> {
    governance.signer().map(SigningKey::seed_for_log)
}

/// The key of `seed` that signs checkpoints of the tree `origin`.
pub(super) fn named(origin: &str, seed: &Seed) -> Result<NoteKey> {
    let key = NoteKey::new(origin, VkeyKind::Note, SigningKey::from_seed(**seed));
    key.map_err(|error| Error::Bug(error.into()))
}

/// The seed as the store keeps it: it opens only for this tree.
pub(super) fn sealed(governance: &Governance, origin: &str, seed: &Seed) -> Sealed {
    let chance = governance.chance();
    governance.pepper().seal(chance, SEALED_FOR, origin.as_bytes(), seed.as_slice())
}

/// The key of the open tree: the one that grows from the signing key, or else the one that was kept.
/// None when neither is the tree's.
pub(super) async fn of(governance: &Governance, tree: &Tree) -> Result<Option<NoteKey>> {
    let is_its = |key: &NoteKey| key.vkey().to_string() == tree.vkey;
    if let Some(seed) = grown(governance) {
        let key = named(&tree.origin, &seed)?;
        if is_its(&key) {
            if tree.seed.is_none() {
                let seed = sealed(governance, &tree.origin, &seed);
                tree::keep(governance.database(), tree.number, seed).await?;
            }
            return Ok(Some(key));
        }
    }
    let Some(seed) = kept(governance, tree) else { return Ok(None) };
    Ok(Some(named(&tree.origin, &seed)?).filter(is_its))
}

/// The seed that was kept, if it opens.
fn kept(governance: &Governance, tree: &Tree) -> Option<Seed> {
    let Sealed { version, bytes } = tree.seed.as_ref()?;
    let opened = governance.pepper().open(*version, SEALED_FOR, tree.origin.as_bytes(), bytes)?;
    Some(Zeroizing::new(opened.as_slice().try_into().ok()?))
}
