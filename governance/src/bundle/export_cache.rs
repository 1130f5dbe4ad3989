//! The cache of final bundles.

use std::sync::Arc;

use moka::future::Cache;
use receipt::digest::Digest;

use super::{BundleSource, Format, final_state::FinalState};

/// The maximum number of cached bytes.
const CACHED_MAX: u64 = 32 << 20;

/// The maximum size of one cached bundle, so that a few large ones do not displace all others.
const CACHED_EACH_MAX: usize = 4 << 20;

/// The bytes of a bundle in one format.
#[derive(Debug)]
pub struct Export {
    pub bytes: Arc<[u8]>,
    /// The SHA-256 of the bytes as 64 hexadecimal digits.
    pub digest: String,
}

impl Export {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { digest: Digest::compute(&bytes).to_string(), bytes: bytes.into() }
    }
}

type Key = (BundleSource, Format, FinalState);

#[derive(Debug)]
pub(crate) struct ExportCache(Cache<Key, Arc<Export>>);

impl Default for ExportCache {
    fn default() -> Self {
        let weight = |_: &Key, export: &Arc<Export>| {
            u32::try_from(export.bytes.len()).unwrap_or(u32::MAX).saturating_add(1_024)
        };
        Self(Cache::builder().max_capacity(CACHED_MAX).weigher(weight).build())
    }
}

impl ExportCache {
    pub(super) async fn find(
        &self,
        source: BundleSource,
        format: Format,
        state: &FinalState,
    ) -> Option<Arc<Export>> {
        self.0.get(&(source, format, state.clone())).await
    }

    pub(super) async fn store(
        &self,
        source: BundleSource,
        format: Format,
        state: FinalState,
        export: &Arc<Export>,
    ) {
        if export.bytes.len() <= CACHED_EACH_MAX {
            self.0.insert((source, format, state), Arc::clone(export)).await;
        }
    }
}
