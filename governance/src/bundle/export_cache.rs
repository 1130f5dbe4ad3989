//! The cache of final bundles.

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{BundleSource, Format, final_state::FinalState};
use crate::base::{cache::Cache, prelude::*};

/// The maximum number of cached bytes.
const CACHED_MAX: u64 = 32 << 20;

/// The maximum size of one cached bundle, so that a few large ones do not displace all others.
const CACHED_EACH_MAX: usize = 4 << 20;

/// The maximum number of bytes of larger bundles in memory. They are freed when their clients have received them.
const LARGE_BYTES_MAX: usize = 256 << 20;

/// The bytes of a bundle in one format.
#[derive(Debug)]
pub struct Export {
    pub bytes: Box<[u8]>,
    /// The SHA-256 of the bytes as 64 hexadecimal digits.
    pub digest: String,
    /// The share of a large bundle in [`LARGE_BYTES_MAX`].
    _permit: Option<OwnedSemaphorePermit>,
}

type Key = (BundleSource, Format, FinalState);

#[derive(Debug)]
pub(crate) struct ExportCache {
    cached: Cache<Key, Export>,
    /// The bytes that are left for large bundles.
    large: Arc<Semaphore>,
}

impl Default for ExportCache {
    fn default() -> Self {
        let cached = Cache::weighed(CACHED_MAX, |export: &Export| export.bytes.len() + 1_024);
        Self { cached, large: Arc::new(Semaphore::new(LARGE_BYTES_MAX)) }
    }
}

impl ExportCache {
    /// Returns the export of a bundle with `bytes`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` while the large bundles in memory have too many bytes.
    pub(super) fn export(&self, bytes: Vec<u8>) -> Result<Arc<Export>> {
        let permit = if bytes.len() > CACHED_EACH_MAX {
            let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            let permit = Arc::clone(&self.large).try_acquire_many_owned(size);
            Some(permit.map_err(|_| Error::overloaded("too many large bundles are being sent"))?)
        } else {
            None
        };
        let digest = Digest::compute(&bytes).to_string();
        Ok(Arc::new(Export { bytes: bytes.into(), digest, _permit: permit }))
    }

    pub(super) fn find(
        &self,
        source: BundleSource,
        format: Format,
        state: &FinalState,
    ) -> Option<Arc<Export>> {
        self.cached.get(&(source, format, state.clone()))
    }

    pub(super) fn store(
        &self,
        source: BundleSource,
        format: Format,
        state: FinalState,
        export: &Arc<Export>,
    ) {
        if export.bytes.len() <= CACHED_EACH_MAX {
            self.cached.insert((source, format, state), Arc::clone(export));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_bundles_wait_until_others_are_sent_and_small_ones_do_not() {
        let large = CACHED_EACH_MAX + 1;
        let cache =
            ExportCache { large: Arc::new(Semaphore::new(large)), ..ExportCache::default() };
        let first = cache.export(vec![0; large]).unwrap();
        let refused = cache.export(vec![0; large]).unwrap_err();
        assert_eq!(refused.status(), 503);
        cache.export(vec![0; 100]).unwrap();
        drop(first);
        cache.export(vec![0; large]).unwrap();
    }
}
