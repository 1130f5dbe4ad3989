//! Authoring capabilities: grants under which a key works on one version of one policy.

pub mod pending_work;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    api_key::ApiKey,
    id::{ApiKeyId, CapabilityId, PolicyId, PolicyVersionId, TenantId, UserId},
    json::Value,
    read::{At, Errors, Members, Read, distinct, id, instant, name, schema, whole},
    time::Timestamp,
};

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal),+ $(,)?) => {
        /// What a grant may allow.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum CapabilityAction { $($(#[$doc])* #[serde(rename = $text)] $name,)+ }

        impl CapabilityAction {
            /// All actions, in the order of their words.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }

        #[cfg(feature = "openapi")]
        crate::schema::words!(CapabilityAction, [$($text),+]);
    };
}

actions! {
    /// Edit the draft in place.
    DraftEdit = "policy.draft.edit",
    /// Read the version.
    PolicyRead = "policy.read",
    /// Send the draft to its ratifiers.
    Submit = "policy.submit",
    /// Read what was sealed, and what reviewers recorded.
    ReviewRetrieve = "review.retrieve",
    /// Seal the version for review.
    ReviewSeal = "review.seal",
}

impl CapabilityAction {
    /// The actions that write. A live grant with one of them binds its version.
    pub const WRITING: [Self; 3] = [Self::DraftEdit, Self::Submit, Self::ReviewSeal];

    /// The words of [`Self::WRITING`].
    pub fn writing_words() -> Vec<String> {
        Self::WRITING.iter().map(|action| action.as_str().to_owned()).collect()
    }
}

impl fmt::Display for CapabilityAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for CapabilityAction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|action| action.as_str() == text).ok_or(())
    }
}

/// A grant: what a key may do to one version of one policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Capability {
    /// The id.
    pub id: CapabilityId,
    /// The first grant of its chain; of one that was not carried, itself.
    pub root_capability_id: CapabilityId,
    /// The grant that was carried to this one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent_capability_id: Option<CapabilityId>,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// The policy.
    pub policy_id: PolicyId,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    pub version: u32,
    /// What it allows, in the order of the words.
    pub actions: Vec<CapabilityAction>,
    /// From when it holds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
    /// From then on it does not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expires_at: Option<Timestamp>,
    /// How many writes it allows; reads are not counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_uses: Option<u32>,
    /// How many writes were made, with the grants before it in its chain.
    pub uses: u32,
    /// The key that it governs.
    pub api_key_id: ApiKeyId,
    /// The person who issued it.
    pub issued_by: UserId,
    /// When.
    pub issued_at: Timestamp,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub revoked_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub revoked_by: Option<String>,
    /// The grant that it was carried to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub carried_to: Option<CapabilityId>,
    /// Digest of the signed statement (receipts, section 9.2).
    pub grant_digest: String,
    /// The signed statement as a DSSE envelope. Shown in the chain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub envelope: Option<Value>,
    /// The grants from the first one to this one. Shown when one grant is read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub chain: Option<Vec<Capability>>,
}

/// The body of `POST /v1/authoring-capabilities`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapabilityDraft {
    /// The policy.
    pub policy_id: PolicyId,
    /// The number of the version.
    pub version: u32,
    /// At least one action, each once.
    pub actions: Vec<CapabilityAction>,
    /// An instant in the future; absent when the grant shall not expire.
    pub expires_at: Option<Timestamp>,
    /// From when it holds; absent for at once.
    pub not_before: Option<Timestamp>,
    /// How many writes it allows; absent for any number.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub max_uses: Option<u32>,
    /// What people call its key: 1 to 200 characters.
    pub name: String,
}

/// The greatest number that a column of the store holds.
const NUMBER_MAX: u32 = 2_147_483_647;

impl Read for CapabilityDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let policy_id = members.required("policy_id", id);
        let version = members.required("version", whole(1, NUMBER_MAX));
        let actions = members.required("actions", actions);
        let expires_at = members.optional("expires_at", instant);
        let not_before = members.optional("not_before", instant);
        let max_uses = members.optional("max_uses", whole(1, NUMBER_MAX));
        let name = members.required("name", name);
        if expires_at.is_some_and(|end| not_before.is_some_and(|start| end <= start)) {
            members.refuse("expires_at", "order", "must lie after `not_before`");
        }
        members.finish()?;
        Some(Self {
            policy_id: policy_id?,
            version: version?,
            actions: actions?,
            expires_at,
            not_before,
            max_uses,
            name: name?,
        })
    }
}

/// Actions in the order of their words: at least one, and none twice.
fn actions(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<CapabilityAction>> {
    let mut actions = distinct(CapabilityAction::ALL.len(), action)(value, at, errors)?;
    actions.sort_unstable();
    Some(actions)
}

fn action(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<CapabilityAction> {
    if errors.describes(|| schema::words(CapabilityAction::ALL.iter().map(|a| a.as_str()))) {
        return None;
    }
    let action = value.as_str().and_then(|text| text.parse().ok());
    if action.is_none() {
        let known: Vec<&str> = CapabilityAction::ALL.iter().map(|a| a.as_str()).collect();
        errors.push(at, "enum", format!("must be one of {}", known.join(", ")));
    }
    action
}

/// The body of `carry`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapabilityCarry {
    /// The number of the successor draft.
    pub version: u32,
}

impl Read for CapabilityCarry {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let version = members.required("version", whole(1, NUMBER_MAX));
        members.finish()?;
        Some(Self { version: version? })
    }
}

/// A grant that was just issued, with its key, and the only sight of the key's plaintext.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapabilityCreated {
    /// The grant.
    pub capability: Capability,
    /// Its key, whose only scope is `authoring:capability`.
    pub key: ApiKey,
    /// What callers send: `svc_` and a base64url token. Only its digest is kept.
    pub plaintext_key: String,
}

impl fmt::Debug for CapabilityCreated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CapabilityCreated");
        shown.field("capability", &self.capability).field("key", &self.key).finish_non_exhaustive()
    }
}
