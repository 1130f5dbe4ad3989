//! The number of new items on a page.

/// The number up to which the service counts.
const COUNT_MAX: u32 = 100;

pub(crate) const PAUSED: &str = "Live updates paused. Show";

/// Returns the number of new items, and the action of the link. `in_all` adds "in all" for pages that show
/// only some of them.
pub(crate) fn new_items(count: u32, in_all: bool) -> String {
    let count = if count < COUNT_MAX { count.to_string() } else { format!("{}+", COUNT_MAX - 1) };
    let in_all = if in_all { " in all" } else { "" };
    format!("Show {count} new{in_all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_limited_like_the_count_of_the_service() {
        assert_eq!(new_items(3, false), "Show 3 new");
        assert_eq!(new_items(99, true), "Show 99 new in all");
        assert_eq!(new_items(100, false), "Show 99+ new");
    }
}
