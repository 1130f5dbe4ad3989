//! The number of new items on a page.

pub const PAUSED: &str = "Live updates paused. Show";
/// The number of new items, and the action of the link. The browser replaces `{count}`.
pub const NEW: &str = "Show {count} new";
/// The same for a page that shows only some of the items.
pub const NEW_IN_ALL: &str = "Show {count} new in all";
