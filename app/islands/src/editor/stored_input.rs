//! Input that stays in the session storage of the tab until it is sent: the sample and the comments of a version.

use serde::de::DeserializeOwned;

use super::view::EditorTarget;

use crate::prelude::*;

/// An entry of the session storage. Without scripts and on the server, it is never read.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredInput(StoredValue<String>);

impl StoredInput {
    pub(super) fn of_comments(target: &EditorTarget) -> Self {
        Self::new("comments", target)
    }

    pub(super) fn of_sample(target: &EditorTarget) -> Self {
        Self::new("sample", target)
    }

    fn new(kind: &str, target: &EditorTarget) -> Self {
        let EditorTarget { policy, version, .. } = target;
        Self(StoredValue::new(format!("govern.{kind} {policy} {version}")))
    }

    pub(super) fn read<T: DeserializeOwned>(self) -> Option<T> {
        let storage = window().session_storage().ok().flatten()?;
        let text = storage.get_item(&self.0.get_value()).ok().flatten()?;
        serde_json::from_str(&text).ok()
    }

    pub(super) fn write(self, value: &impl Serialize) {
        let text = serde_json::to_string(value).unwrap_or_default();
        if let Ok(Some(storage)) = window().session_storage() {
            let _ = self.0.with_value(|key| storage.set_item(key, &text));
        }
    }

    pub(super) fn clear(self) {
        if let Ok(Some(storage)) = window().session_storage() {
            let _ = self.0.with_value(|key| storage.remove_item(key));
        }
    }
}
