//! The place in a tenant's order that a stream has come to, as its listener keeps it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{id::TenantId, time::Timestamp};

use crate::Governance;

/// A place, and when it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) after: i64,
    pub(super) at: Timestamp,
}

/// Bytes of each number, and of the tag that binds both to the tenant.
const NUMBER: usize = 8;
const TAG: usize = 16;

impl Place {
    /// The place as text; opaque to whoever gets it.
    pub(super) fn write(self, governance: &Governance, tenant: TenantId) -> String {
        let numbers = [self.after, self.at.millis()].map(i64::to_be_bytes).concat();
        let tag = tag(governance, tenant, &numbers);
        URL_SAFE_NO_PAD.encode([numbers.as_slice(), &tag].concat())
    }

    /// The place that was written as `text` for this tenant.
    pub(super) fn read(governance: &Governance, tenant: TenantId, text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (numbers, told) = bytes.split_at_checked(2 * NUMBER)?;
        if told != tag(governance, tenant, numbers) {
            return None;
        }
        let (after, at) = numbers.split_first_chunk::<NUMBER>()?;
        let at = Timestamp::from_millis(i64::from_be_bytes(at.try_into().ok()?))?;
        Some(Self { after: i64::from_be_bytes(*after), at })
    }
}

fn tag(governance: &Governance, tenant: TenantId, numbers: &[u8]) -> [u8; TAG] {
    let message = [tenant.0.as_bytes(), numbers].concat();
    let mut tag = [0; TAG];
    tag.copy_from_slice(&governance.pepper().digest("decision-stream", &message)[..TAG]);
    tag
}
