//! Changes to a bundle that is made.

use contract::json::Value;
use receipt::bundle::{self, Files, path};

use super::{key, value};

/// Changes members of `files`, and closes the bundle again, as somebody with the key could.
pub(crate) fn altered(files: &Files, change: impl FnOnce(&mut Files)) -> Files {
    let mut files = files.clone();
    let manifest = files.remove(path::MANIFEST).unwrap();
    files.remove(path::MANIFEST_ENVELOPE);
    let manifest = value(std::str::from_utf8(&manifest).unwrap());
    let subject = bundle::Manifest::read(&manifest).unwrap().subject;
    change(&mut files);
    bundle::close(&mut files, &subject, Some(&key("service"))).unwrap();
    files
}

/// Replaces a member.
pub(crate) fn set(files: &mut Files, name: &str, bytes: impl Into<Vec<u8>>) {
    files.remove(name).unwrap_or_else(|| panic!("no member {name}"));
    files.insert(name, bytes).unwrap();
}

/// Changes a JSON member: the value at `pointer` becomes `new`, or goes when there is none.
pub(crate) fn edit(files: &mut Files, name: &str, pointer: &str, new: Option<Value>) {
    let text = files.get(name).unwrap_or_else(|| panic!("no member {name}"));
    let mut tree: serde_json::Value = serde_json::from_slice(text).unwrap();
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    let parent = tree.pointer_mut(parent).unwrap_or_else(|| panic!("no {pointer} in {name}"));
    match (parent, new) {
        (serde_json::Value::Object(members), Some(new)) => {
            let new = serde_json::from_str(&new.to_canonical()).unwrap();
            members.insert(last.to_owned(), new);
        }
        (serde_json::Value::Object(members), None) => {
            members.remove(last).unwrap_or_else(|| panic!("no {pointer} in {name}"));
        }
        (serde_json::Value::Array(elements), Some(new)) => {
            elements[last.parse::<usize>().unwrap()] =
                serde_json::from_str(&new.to_canonical()).unwrap();
        }
        (serde_json::Value::Array(elements), None) => {
            elements.remove(last.parse().unwrap());
        }
        _ => panic!("no {pointer} in {name}"),
    }
    set(files, name, value(&tree.to_string()).to_canonical());
}
