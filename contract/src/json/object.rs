//! JSON objects: members with unique names in canonical order.

use std::{cmp::Ordering, sync::Arc};

use super::Value;

/// The members of a JSON object, unique by name, in the order of the UTF-16 code units of their names (RFC
/// 8785).
///
/// Clones share their members until one of them is changed. A request is cloned often and rarely changed.
#[derive(Clone, Debug, Default)]
pub struct Object(Option<Arc<Vec<(String, Value)>>>);

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members()
    }
}

impl Object {
    /// Creates an object without members.
    pub const fn new() -> Self {
        Self(None)
    }

    fn from_sorted(members: Vec<(String, Value)>) -> Self {
        Self(Some(Arc::new(members)))
    }

    fn members(&self) -> &[(String, Value)] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    fn members_mut(&mut self) -> &mut Vec<(String, Value)> {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// Creates an object from members in any order. Returns `None` if two members have the same name.
    pub(super) fn from_members(mut members: Vec<(String, Value)>) -> Option<Self> {
        let is_ascending = |members: &[(String, Value)]| {
            members.is_sorted_by(|(a, _), (b, _)| canonical_order(a, b).is_lt())
        };
        if !is_ascending(&members) {
            members.sort_unstable_by(|(a, _), (b, _)| canonical_order(a, b));
            if !is_ascending(&members) {
                return None;
            }
        }
        Some(Self::from_sorted(members))
    }

    /// Returns the member `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let index = self.search(name).ok()?;
        self.members().get(index).map(|(_, value)| value)
    }

    /// Sets the member `name` and returns its previous value.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        match self.search(&name) {
            Ok(index) => {
                self.members_mut().get_mut(index).map(|(_, old)| std::mem::replace(old, value))
            }
            Err(index) => {
                self.members_mut().insert(index, (name, value));
                None
            }
        }
    }

    /// Removes the member `name` and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let index = self.search(name).ok()?;
        Some(self.members_mut().remove(index).1)
    }

    /// Returns the members in canonical order.
    pub fn iter(&self) -> Iter<'_> {
        self.members().iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// Returns whether the object has no members.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    fn search(&self, name: &str) -> Result<usize, usize> {
        self.members().binary_search_by(|(other, _)| canonical_order(other, name))
    }
}

/// An iterator over the members of an object in canonical order.
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
    /// If a name occurs several times, the last member is used.
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.reverse();
        members.sort_by(|(a, _), (b, _)| canonical_order(a, b));
        members.dedup_by(|(name, _), (previous, _)| name == previous);
        Self::from_sorted(members)
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Object {
    /// If a name occurs several times, the last member is used.
    fn from(members: [(&str, Value); N]) -> Self {
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Compares names by UTF-16 code units without converting them from UTF-8.
///
/// UTF-8 order differs from UTF-16 order in one case: UTF-16 encodes U+10000 and above (lead bytes F0 to F4)
/// with surrogates, which sort before U+E000 to U+FFFF (lead bytes EE and EF).
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
    fn members_are_sorted_by_utf16_code_units() {
        let object: Object = ["\u{fb33}", "\u{1f600}", "", "\u{20ac}", "b", "a", "ab"]
            .map(|name| (name.to_owned(), Value::Null))
            .into_iter()
            .collect();
        assert_eq!(names(&object), ["", "a", "ab", "b", "\u{20ac}", "\u{1f600}", "\u{fb33}"]);
    }

    #[test]
    fn inserting_an_existing_name_replaces_its_value() {
        let mut object = Object::from([("b", 1.into()), ("a", 2.into()), ("b", 3.into())]);
        assert_eq!(object.get("b"), Some(&Value::from(3)));
        assert_eq!(object.insert("a", 4), Some(Value::from(2)));
        assert_eq!(object.insert("0", true), None);
        assert_eq!(names(&object), ["0", "a", "b"]);
        assert_eq!(object.remove("a"), Some(Value::from(4)));
        assert_eq!((object.get("a"), object.len(), object.is_empty()), (None, 2, false));
    }

    #[test]
    fn changing_a_clone_leaves_the_original_unchanged() {
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
        fn canonical_order_matches_utf16_code_unit_order(a: String, b: String) {
            prop_assert_eq!(canonical_order(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
        }
    }
}
