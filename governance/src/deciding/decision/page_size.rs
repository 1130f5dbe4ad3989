//! The size of a page of decisions in bytes. A decision can have megabytes, and all decisions of a page are in memory at
//! the same time.

use crate::base::prelude::*;

/// The maximum size of the texts of a page, in bytes.
const BYTES_MAX: usize = 8 << 20;

/// The sum of the sizes of stored texts after which a query selects no further decision. A stored text is at most slightly
/// larger than the text. So a page that ends here exceeds [`BYTES_MAX`].
pub(crate) const STORED_BYTES_MAX: i64 = 16 << 20;

/// Returns the expression for the size of the stored texts before a row, of rows with the columns `position` and `texts`. A page
/// that is cut where it exceeds [`STORED_BYTES_MAX`] does not read the texts of the other rows.
pub(crate) fn bytes_before(order: &str) -> String {
    let bytes = "coalesce(octet_length(texts), 0)";
    format!("sum({bytes}) OVER (ORDER BY position {order} ROWS UNBOUNDED PRECEDING) - {bytes}")
}

/// Returns the number of decisions that fit into a page: at least one, and then as many as have at most [`BYTES_MAX`]
/// together. `sizes` are the sizes of their texts.
pub(super) fn fitting(sizes: impl IntoIterator<Item = usize>) -> usize {
    let mut bytes = 0_usize;
    let fits = sizes.into_iter().enumerate().take_while(|(index, size)| {
        bytes = bytes.saturating_add(*size);
        *index == 0 || bytes <= BYTES_MAX
    });
    fits.count()
}

/// Reads rows one after the other, and stops after the first that no longer fits into the page ([`fitting`]).
pub(super) fn read<R>(
    rows: Vec<QueryResult>,
    read: impl Fn(&QueryResult) -> Result<R>,
    size: impl Fn(&R) -> usize,
) -> Result<Vec<R>> {
    let (mut page, mut bytes) = (Vec::new(), 0_usize);
    for row in rows {
        if page.len() > 1 && bytes > BYTES_MAX {
            break;
        }
        let row = read(&row)?;
        bytes = bytes.saturating_add(size(&row));
        page.push(row);
    }
    Ok(page)
}
