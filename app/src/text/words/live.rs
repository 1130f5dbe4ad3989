//! What is new while a page is looked at.

/// How far the service counts.
const MOST: u32 = 100;

pub(crate) const PAUSED: &str = "Live updates paused. Show";

/// How many are new, and what the link does; `in_all` where the page shows only some of them.
pub(crate) fn fresh(count: u32, in_all: bool) -> String {
    let count = if count < MOST { count.to_string() } else { format!("{}+", MOST - 1) };
    let in_all = if in_all { " in all" } else { "" };
    format!("{count} new{in_all}. Show")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_goes_as_far_as_the_service_counts() {
        assert_eq!(fresh(3, false), "3 new. Show");
        assert_eq!(fresh(99, true), "99 new in all. Show");
        assert_eq!(fresh(100, false), "99+ new. Show");
    }
}
