//! Objects: unique members in canonical order.

use std::{cmp::Ordering, sync::Arc};

use super::Value;

/// Members by name, each name once, in the order of their names' UTF-16 code units (RFC 8785).
///
/// Copies share their members until one of them is changed: a request is kept in several places, and
/// hardly ever changed.
#[derive(Clone, Debug, Default)]
pub struct Object(Option<Arc<Vec<(String, Value)>>>);

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members()
    }
}

impl Object {
    /// An object without members.
    pub const fn new() -> Self {
        Self(None)
    }

    fn of(members: Vec<(String, Value)>) -> Self {
        Self(Some(Arc::new(members)))
    }

    fn members(&self) -> &[(String, Value)] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    fn members_mut(&mut self) -> &mut Vec<(String, Value)> {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// Sorts members that were read in any order; `None` when two have one name.
    pub(super) fn from_members(mut members: Vec<(String, Value)>) -> Option<Self> {
        let rises = |pair: &[(String, Value)]| match pair {
            [(a, _), (b, _)] => canonical_order(a, b) == Ordering::Less,
            _ => true,
        };
        if !members.windows(2).all(rises) {
            members.sort_unstable_by(|(a, _), (b, _)| canonical_order(a, b));
            if !members.windows(2).all(rises) {
                return None;
            }
        }
        Some(Self::of(members))
    }

    /// The member `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let place = self.place(name).ok()?;
        self.members().get(place).map(|(_, value)| value)
    }

    /// Sets the member `name` and returns the value that it had.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        match self.place(&name) {
            Ok(place) => {
                self.members_mut().get_mut(place).map(|(_, old)| std::mem::replace(old, value))
            }
            Err(place) => {
                self.members_mut().insert(place, (name, value));
                None
            }
        }
    }

    /// Takes the member `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let place = self.place(name).ok()?;
        Some(self.members_mut().remove(place).1)
    }

    /// The members, in canonical order.
    pub fn iter(&self) -> Iter<'_> {
        self.members().iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.members().binary_search_by(|(other, _)| canonical_order(other, name))
    }
}

/// The members of an object, in canonical order.
pub type Iter<'a> = std::iter::Map<
    std::slice::Iter<'a, (String, Value)>,
    fn(&'a (String, Value)) -> (&'a str, &'a Value),
>;

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a str, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map(Arc::unwrap_or_clone).unwrap_or_default().into_iter()
    }
}

impl FromIterator<(String, Value)> for Object {
    /// Of several members with one name the last one stays.
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.reverse();
        members.sort_by(|(a, _), (b, _)| canonical_order(a, b));
        members.dedup_by(|(later, _), (kept, _)| later == kept);
        Self::of(members)
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Object {
    /// Of several members with one name the last one stays.
    fn from(members: [(&str, Value); N]) -> Self {
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Compares names by UTF-16 code units, without leaving UTF-8.
///
/// The two orders differ in one place: UTF-16 writes U+10000 and above (lead bytes F0 to F4) with
/// surrogates, which stand before U+E000 to U+FFFF (lead bytes EE and EF).
pub fn canonical_order(a: &str, b: &str) -> Ordering {
    let rank = |byte: u8| if matches!(byte, 0xEE | 0xEF) { byte | 0x10 } else { byte };
    match a.bytes().zip(b.bytes()).find(|(a, b)| a != b) {
        Some((a, b)) => rank(a).cmp(&rank(b)),
        None => a.len().cmp(&b.len()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(object: &Object) -> Vec<&str> {
        object.iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn members_stand_in_the_order_of_utf16() {
        let object: Object = ["\u{fb33}", "\u{1f600}", "", "\u{20ac}", "b", "a", "ab"]
            .map(|name| (name.to_owned(), Value::Null))
            .into_iter()
            .collect();
        assert_eq!(names(&object), ["", "a", "ab", "b", "\u{20ac}", "\u{1f600}", "\u{fb33}"]);
    }

    #[test]
    fn a_name_stands_for_one_value() {
        let mut object = Object::from([("b", 1.into()), ("a", 2.into()), ("b", 3.into())]);
        assert_eq!(object.get("b"), Some(&Value::from(3)));
        assert_eq!(object.insert("a", 4), Some(Value::from(2)));
        assert_eq!(object.insert("0", true), None);
        assert_eq!(names(&object), ["0", "a", "b"]);
        assert_eq!(object.remove("a"), Some(Value::from(4)));
        assert_eq!((object.get("a"), object.len(), object.is_empty()), (None, 2, false));
    }

    #[test]
    fn a_copy_is_changed_alone() {
        let object = Object::from([("a", 1.into())]);
        let mut copy = object.clone();
        copy.insert("b", 2);
        assert_eq!((names(&object), names(&copy)), (vec!["a"], vec!["a", "b"]));
        copy.remove("b");
        assert_eq!(copy, object);
        copy.remove("a");
        assert_eq!(copy, Object::new());
    }

    proptest! {
        #[test]
        fn names_compare_as_their_utf16_code_units(a: String, b: String) {
            prop_assert_eq!(canonical_order(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
        }
    }
}
