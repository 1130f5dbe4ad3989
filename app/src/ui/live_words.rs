//! The number of new items on a page.

pub(crate) const PAUSED: &str = "Live updates paused. Show";
/// The number of new items, and the action of the link. The browser replaces `{count}`.
pub(crate) const NEW: &str = "Show {count} new";
/// The same for a page that shows only some of the items.
pub(crate) const NEW_IN_ALL: &str = "Show {count} new in all";
