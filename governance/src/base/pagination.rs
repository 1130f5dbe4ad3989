//! Pages of a list and the cursors that point to the next page.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{id::TenantId, pagination::Page};
use entity::tenant::HasSequence;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select};

use crate::{
    Governance,
    base::{
        error::{Refusal, Result, invalid_field},
        tenancy::Tenant,
    },
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// The maximum number of items: 1 to 200.
    pub limit: u32,
    /// The cursor from the previous page; absent for the first page.
    pub cursor: Option<String>,
}

impl PageRequest {
    /// Returns the number of rows to fetch: one more than the page size, to detect a next page.
    pub(crate) fn fetched(&self) -> u64 {
        u64::from(self.limit) + 1
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { limit: contract::pagination::LIMIT_DEFAULT, cursor: None }
    }
}

/// Creates and checks the cursors of one list: the rows of a tenant that match a filter.
pub(crate) struct Cursor<'a> {
    pub(crate) governance: &'a Governance,
    pub(crate) name: &'static str,
    pub(crate) tenant: TenantId,
    /// The text of the filter. Equal filters have equal texts.
    pub(crate) filter: String,
}

/// The length of a position in bytes.
const POSITION_LEN: usize = 8;

/// The length in bytes of the authentication code that binds a position to its list.
const MAC_LEN: usize = 16;

impl<'a> Cursor<'a> {
    pub(crate) fn new(tenant: &Tenant<'a>, name: &'static str, filter: String) -> Self {
        Self { governance: &tenant.cx().governance, name, tenant: tenant.id(), filter }
    }

    /// Selects the rows of a page, newest first, and one more row if there is a next page.
    ///
    /// # Errors
    /// As [`Cursor::before`].
    pub(crate) fn newest<E: EntityTrait>(
        &self,
        rows: Select<E>,
        sequence: E::Column,
        page: &PageRequest,
    ) -> Result<Select<E>> {
        let before = self.before(page)?;
        let rows = rows.filter(sequence.lt(before)).order_by_desc(sequence);
        Ok(rows.limit(page.fetched()))
    }

    /// Returns the sequence number before which the page starts.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` for a cursor that was truncated, forged or created for another list.
    pub(crate) fn before(&self, page: &PageRequest) -> Result<i64> {
        Ok(self.after(page)?.unwrap_or(i64::MAX))
    }

    /// Returns the position of the last item of the previous page; `None` for the first page.
    ///
    /// # Errors
    /// As [`Cursor::before`].
    pub(crate) fn after(&self, page: &PageRequest) -> Result<Option<i64>> {
        let Some(cursor) = &page.cursor else { return Ok(None) };
        Ok(Some(self.position(cursor).ok_or_else(invalid_cursor)?))
    }

    fn position(&self, cursor: &str) -> Option<i64> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (position, mac) = bytes.split_first_chunk::<POSITION_LEN>()?;
        (mac == self.mac(*position)).then(|| i64::from_be_bytes(*position))
    }

    fn mac(&self, position: [u8; POSITION_LEN]) -> [u8; MAC_LEN] {
        let message =
            [self.name.as_bytes(), self.tenant.0.as_bytes(), &position, self.filter.as_bytes()]
                .concat();
        let mut mac = [0; MAC_LEN];
        mac.copy_from_slice(&self.governance.pepper().digest("cursor", &message)[..MAC_LEN]);
        mac
    }

    /// Builds the page from `rows`, which contains one row more than `limit` if there is a next page.
    pub(crate) fn page<R>(
        &self,
        mut rows: Vec<R>,
        limit: u32,
        sequence: impl Fn(&R) -> i64,
    ) -> Page<R> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = rows.last().filter(|_| has_more).map(|last| {
            let position = sequence(last).to_be_bytes();
            URL_SAFE_NO_PAD.encode([position.as_slice(), &self.mac(position)].concat())
        });
        Page { items: rows, next_cursor }
    }
}

/// Returns one page of a tenant's table, newest first.
///
/// # Errors
/// As [`Cursor::before`].
pub(crate) async fn newest<E: HasSequence>(
    tenant: &Tenant<'_>,
    name: &'static str,
    page: &PageRequest,
) -> Result<Page<E::Model>> {
    let list = Cursor::new(tenant, name, String::new());
    let tx = tenant.begin().await?;
    let rows = list.newest(tx.find::<E>(), E::SEQUENCE, page)?.all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(list.page(rows, page.limit, E::sequence))
}

fn invalid_cursor() -> Refusal {
    invalid_field("/cursor", "cursor", "is not a cursor of this list; start again without one")
}
