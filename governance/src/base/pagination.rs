//! Pages of a list and the cursors that point to the next page.

use std::pin::Pin;

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

    /// Returns the maximum number of items as a length.
    pub(crate) fn items(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(usize::MAX)
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { limit: contract::pagination::LIMIT_DEFAULT, cursor: None }
    }
}

/// A page of a list that can be read in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window<T> {
    pub items: Vec<T>,
    /// The cursor of the page after this one; absent at the end of the list.
    pub next: Option<String>,
    /// The cursor of the page before this one; absent at the start of the list.
    pub previous: Option<String>,
}

impl<T> Window<T> {
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> Window<U> {
        let items = self.items.into_iter().map(convert).collect();
        Window { items, next: self.next, previous: self.previous }
    }

    /// Converts the items; stops at the first error.
    ///
    /// # Errors
    /// The error of `convert`.
    pub(crate) fn try_map<U>(self, convert: impl Fn(T) -> Result<U>) -> Result<Window<U>> {
        let items = self.items.into_iter().map(convert).collect::<Result<_>>()?;
        Ok(Window { items, next: self.next, previous: self.previous })
    }
}

impl<T> From<Window<T>> for Page<T> {
    fn from(window: Window<T>) -> Self {
        Self { items: window.items, next_cursor: window.next }
    }
}

/// The start of a page, in the order of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    First,
    /// The page begins after this position.
    After(i64),
    /// The page ends before this position. Its rows are fetched in reverse order.
    Before(i64),
}

impl Start {
    pub(crate) const fn is_reverse(self) -> bool {
        matches!(self, Self::Before(_))
    }

    pub(crate) const fn position(self) -> Option<i64> {
        match self {
            Self::First => None,
            Self::After(position) | Self::Before(position) => Some(position),
        }
    }

    /// Selects the rows from this start on, of a list with the newest row first.
    pub(crate) fn newest<E: EntityTrait>(self, rows: Select<E>, sequence: E::Column) -> Select<E> {
        match self {
            Self::First => rows.order_by_desc(sequence),
            Self::After(position) => rows.filter(sequence.lt(position)).order_by_desc(sequence),
            Self::Before(position) => rows.filter(sequence.gt(position)).order_by_asc(sequence),
        }
    }
}

impl From<Option<i64>> for Start {
    fn from(after: Option<i64>) -> Self {
        after.map_or(Self::First, Self::After)
    }
}

/// The rows of a page, while they are read. With an asynchronous closure instead, the compiler cannot prove that
/// the request handlers are `Send`.
pub(crate) type Rows<'f, R> = Pin<Box<dyn Future<Output = Result<Vec<R>>> + Send + 'f>>;

/// The purposes of the authentication codes of cursors, one per direction.
const FORWARD: &str = "cursor";
const BACKWARD: &str = "previous_cursor";

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
    pub(crate) fn after(&self, page: &PageRequest) -> Result<Option<i64>> {
        let Some(cursor) = &page.cursor else { return Ok(None) };
        Ok(Some(self.position(FORWARD, cursor).ok_or_else(invalid_cursor)?))
    }

    fn start(&self, page: &PageRequest) -> Result<Start> {
        let Some(cursor) = &page.cursor else { return Ok(Start::First) };
        let forward = self.position(FORWARD, cursor).map(Start::After);
        let start = forward.or_else(|| self.position(BACKWARD, cursor).map(Start::Before));
        Ok(start.ok_or_else(invalid_cursor)?)
    }

    fn position(&self, purpose: &'static str, cursor: &str) -> Option<i64> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (position, mac) = bytes.split_first_chunk::<POSITION_LEN>()?;
        (mac == self.mac(purpose, *position)).then(|| i64::from_be_bytes(*position))
    }

    fn encode(&self, purpose: &'static str, position: i64) -> String {
        let position = position.to_be_bytes();
        URL_SAFE_NO_PAD.encode([position.as_slice(), &self.mac(purpose, position)].concat())
    }

    fn mac(&self, purpose: &'static str, position: [u8; POSITION_LEN]) -> [u8; MAC_LEN] {
        let message =
            [self.name.as_bytes(), self.tenant.0.as_bytes(), &position, self.filter.as_bytes()]
                .concat();
        let mut mac = [0; MAC_LEN];
        mac.copy_from_slice(&self.governance.pepper().digest(purpose, &message)[..MAC_LEN]);
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
        let next_cursor =
            rows.last().filter(|_| has_more).map(|last| self.encode(FORWARD, sequence(last)));
        Page { items: rows, next_cursor }
    }

    /// Returns a page of a list that can be read in both directions. `fetch` returns the rows from a start on, and
    /// one row more than the page has if there are further rows in that direction.
    ///
    /// # Errors
    /// As [`Cursor::before`], and the errors of `fetch`.
    pub(crate) async fn window<'f, R>(
        &self,
        page: &PageRequest,
        fetch: impl Fn(Start) -> Rows<'f, R>,
        position: impl Fn(&R) -> i64,
    ) -> Result<Window<R>> {
        self.window_within(page, fetch, position, |_| page.items()).await
    }

    /// Returns a page as [`Cursor::window`] does. It has at most as many items as `fits` returns for the fetched rows.
    pub(crate) async fn window_within<'f, R>(
        &self,
        page: &PageRequest,
        fetch: impl Fn(Start) -> Rows<'f, R>,
        position: impl Fn(&R) -> i64,
        fits: impl Fn(&[R]) -> usize,
    ) -> Result<Window<R>> {
        let items = |rows: &[R]| fits(rows).min(page.items());
        let mut start = self.start(page)?;
        let mut rows = fetch(start).await?;
        if start.is_reverse() && rows.len() <= items(&rows) {
            // Nothing precedes the page, so it is the first one.
            start = Start::First;
            rows = fetch(start).await?;
        }
        let items = items(&rows);
        let has_more = rows.len() > items;
        rows.truncate(items);
        if start.is_reverse() {
            rows.reverse();
        }
        let (has_next, has_previous) = match start {
            Start::First => (has_more, false),
            Start::After(_) => (has_more, true),
            Start::Before(_) => (true, has_more),
        };
        let next = rows.last().filter(|_| has_next);
        let previous = rows.first().filter(|_| has_previous);
        Ok(Window {
            next: next.map(|row| self.encode(FORWARD, position(row))),
            previous: previous.map(|row| self.encode(BACKWARD, position(row))),
            items: rows,
        })
    }
}

/// Returns one page of a tenant's table, newest first.
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
