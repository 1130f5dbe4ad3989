//! Pages of a list, and the cursor that leads to the next one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{id::TenantId, page::Page};
use entity::tenant::Sequenced;
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::{
    Governance,
    error::{Refusal, Result, invalid_field},
    tenancy::Tenant,
};

/// Which page of a list is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// How many items: 1 to 200.
    pub limit: u32,
    /// Where it starts; absent for the first page.
    pub cursor: Option<String>,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { limit: contract::page::LIMIT_DEFAULT, cursor: None }
    }
}

/// A list of one tenant under one filter: a cursor of any other list is refused.
pub(crate) struct List<'a> {
    pub(crate) governance: &'a Governance,
    pub(crate) name: &'static str,
    pub(crate) tenant: TenantId,
    /// The filter's text; equal filters have equal texts.
    pub(crate) filter: String,
}

/// Bytes of the position and of the tag that binds it to its list.
const POSITION: usize = 8;
const TAG: usize = 16;

impl List<'_> {
    /// The sequence number below which the page starts.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` for a cursor that was cut, forged or made for another list.
    pub(crate) fn below(&self, page: &PageRequest) -> Result<i64> {
        Ok(self.after(page)?.unwrap_or(i64::MAX))
    }

    /// The place of the last item of the page before; nothing on the first page.
    ///
    /// # Errors
    /// As [`List::below`].
    pub(crate) fn after(&self, page: &PageRequest) -> Result<Option<i64>> {
        let Some(cursor) = &page.cursor else { return Ok(None) };
        Ok(Some(self.position(cursor).ok_or_else(foreign_cursor)?))
    }

    fn position(&self, cursor: &str) -> Option<i64> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (position, tag) = bytes.split_first_chunk::<POSITION>()?;
        (tag == self.tag(*position)).then(|| i64::from_be_bytes(*position))
    }

    fn tag(&self, position: [u8; POSITION]) -> [u8; TAG] {
        let message =
            [self.name.as_bytes(), self.tenant.0.as_bytes(), &position, self.filter.as_bytes()]
                .concat();
        let mut tag = [0; TAG];
        tag.copy_from_slice(&self.governance.pepper().digest("cursor", &message)[..TAG]);
        tag
    }

    /// The page made of `rows`, which hold one row more than `limit` when there is a next page.
    pub(crate) fn page<R>(
        &self,
        mut rows: Vec<R>,
        limit: u32,
        sequence: impl Fn(&R) -> i64,
    ) -> Page<R> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = rows.last().filter(|_| more).map(|last| {
            let position = sequence(last).to_be_bytes();
            URL_SAFE_NO_PAD.encode([position.as_slice(), &self.tag(position)].concat())
        });
        Page { items: rows, next_cursor }
    }
}

/// One page of a tenant's table, newest first.
///
/// # Errors
/// As [`List::below`].
pub(crate) async fn newest<E: Sequenced>(
    tenant: &Tenant<'_>,
    name: &'static str,
    page: &PageRequest,
) -> Result<Page<E::Model>> {
    let governance = &tenant.cx().governance;
    let list = List { governance, name, tenant: tenant.id(), filter: String::new() };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let rows = tx
        .find::<E>()
        .filter(E::SEQUENCE.lt(below))
        .order_by_desc(E::SEQUENCE)
        .limit(u64::from(page.limit) + 1)
        .all(tx.connection())
        .await?;
    tx.end().await?;
    Ok(list.page(rows, page.limit, E::sequence))
}

fn foreign_cursor() -> Refusal {
    invalid_field("/cursor", "cursor", "is not a cursor of this list; start again without one")
}
