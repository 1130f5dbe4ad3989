//! The key of a tree: a separate log key, which the key provider stores while the tree is open. It is
//! independent of all other keys of the service.

use receipt::transparency_log::{Vkey, VkeyKind, signed_note};

use crate::{base::prelude::*, proof::signing::ServiceKey};

#[derive(Debug)]
pub(super) struct TreeKey {
    vkey: Vkey,
    key: ServiceKey,
}

impl TreeKey {
    /// Creates the key of the tree `origin`.
    ///
    /// # Errors
    /// An internal error if `origin` is not a valid key name.
    pub(super) fn new(origin: &str, key: ServiceKey) -> Result<Self> {
        let vkey = Vkey::new(origin, VkeyKind::Note, key.public().clone());
        Ok(Self { vkey: vkey.map_err(Error::internal)?, key })
    }

    pub(super) const fn vkey(&self) -> &Vkey {
        &self.vkey
    }

    /// Signs a checkpoint and returns it as a note.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the key is unavailable or its signature fails verification.
    pub(super) async fn sign(&self, checkpoint: &str) -> Result<String> {
        let signature = self.key.sign_bytes(checkpoint.as_bytes()).await?;
        Ok(signed_note(checkpoint, &self.vkey, &signature))
    }
}

/// Returns the key of the open tree, whose row contains `origin` and `vkey`; `None` if this process does not
/// have the key with which the tree was started.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the key provider is unavailable.
pub(super) async fn load(
    governance: &Governance,
    origin: &str,
    vkey: &str,
) -> Result<Option<TreeKey>> {
    let (Some(keys), Some(kid)) = (governance.keys(), kid_of(vkey)) else { return Ok(None) };
    let key = match governance.proof().log.key(&kid) {
        Some(key) => key,
        None => match keys.log_key(&kid).await? {
            Some(key) => governance.proof().log.store_key(key),
            None => return Ok(None),
        },
    };
    // The row may contain the key of another tree. Nothing is signed then.
    let key = TreeKey::new(origin, key)?;
    Ok((key.vkey.to_string() == vkey).then_some(key))
}

/// Returns a key for a new tree that no tree in `vkeys` has used. If `is_missing_trees`, there were other
/// trees with unknown keys, so a new key is always created.
///
/// # Errors
/// An internal error without keys; `SERVICE_UNAVAILABLE` if the key provider is unavailable or accepts no
/// new key.
pub(super) async fn for_new_tree(
    governance: &Governance,
    origin: &str,
    vkeys: &[String],
    is_missing_trees: bool,
) -> Result<TreeKey> {
    let keys = governance.keys().or_bug("a log without its key")?;
    let used: Vec<String> = vkeys.iter().filter_map(|vkey| kid_of(vkey)).collect();
    let is_used = |kid: &str| used.iter().any(|used| used == kid);
    let key = keys.log_key_for_new_tree(is_missing_trees, is_used).await?;
    TreeKey::new(origin, key)
}

fn kid_of(vkey: &str) -> Option<String> {
    Some(vkey.parse::<Vkey>().ok()?.key().kid().to_owned())
}
