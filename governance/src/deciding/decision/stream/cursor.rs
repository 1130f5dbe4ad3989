//! The opaque position of a stream, which clients store as the event ID.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::base::prelude::*;

/// A stream position and the time at which it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StreamCursor {
    /// The sequence number of the last decision that was sent.
    pub(super) after: i64,
    /// The time of sending.
    pub(super) timestamp: Timestamp,
}

/// The length of each number in bytes.
const NUMBER_BYTES: usize = 8;

/// The length in bytes of the MAC that binds both numbers to the tenant.
const TAG_BYTES: usize = 16;

impl StreamCursor {
    /// Encodes the position as opaque text.
    pub(super) fn write(self, governance: &Governance, tenant: TenantId) -> String {
        let numbers = [self.after, self.timestamp.millis()].map(i64::to_be_bytes).concat();
        let tag = tag(governance, tenant, &numbers);
        URL_SAFE_NO_PAD.encode([numbers.as_slice(), &tag].concat())
    }

    /// Decodes a position that was encoded for this tenant.
    pub(super) fn read(governance: &Governance, tenant: TenantId, text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (numbers, received_tag) = bytes.split_at_checked(2 * NUMBER_BYTES)?;
        if received_tag != tag(governance, tenant, numbers) {
            return None;
        }
        let (after, timestamp) = numbers.split_first_chunk::<NUMBER_BYTES>()?;
        let timestamp = Timestamp::from_millis(i64::from_be_bytes(timestamp.try_into().ok()?))?;
        Some(Self { after: i64::from_be_bytes(*after), timestamp })
    }
}

fn tag(governance: &Governance, tenant: TenantId, numbers: &[u8]) -> [u8; TAG_BYTES] {
    let message = [tenant.0.as_bytes(), numbers].concat();
    let mut tag = [0; TAG_BYTES];
    tag.copy_from_slice(&governance.pepper().digest("decision-stream", &message)[..TAG_BYTES]);
    tag
}
