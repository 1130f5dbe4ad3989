//! The callers of operations.

use std::sync::Arc;

use contract::{
    capability::CapabilityAction,
    id::{ApiKeyId, CapabilityId, PolicyId, PolicyVersionId, TenantId, UserId},
    scope::{Role, Scope},
    settings::AuthMethod,
    time::Timestamp,
};

use crate::base::error::{Refusal, capability as refuse};

#[derive(Clone, Debug)]
pub enum Caller {
    Key(ApiKeyCaller),
    Human(Human),
    OperatorKey(OperatorKey),
    Person(Person),
    /// An unauthenticated caller on a public path.
    Public,
    /// The operator of the process: the command line and the start of the service.
    Operator,
    /// A background task of the service.
    Service,
}

/// An authenticated API key.
#[derive(Clone, Debug)]
pub struct ApiKeyCaller {
    pub tenant_id: TenantId,
    pub id: ApiKeyId,
    pub name: String,
    pub scopes: Vec<Scope>,
    /// The user whom the key acts for, for example in the maker-checker rule.
    pub owner: Option<UserId>,
    /// The time from which the key is refused; absent when the key does not expire.
    pub expires_at: Option<Timestamp>,
    /// The tenant's activation counter when the key was checked.
    pub activations: i64,
    /// For a capability holder: the governing grant, or the reason why there is none.
    pub capability: Option<CapabilityStatus>,
}

impl ApiKeyCaller {
    /// Returns whether the key works under a capability: it has the scope `authoring:capability` and no
    /// scope for policies.
    pub fn holds_capability(&self) -> bool {
        self.scopes.contains(&Scope::AuthoringCapability) && !self.has_policy_scopes()
    }

    /// Returns whether the key has a scope to read or write policies.
    pub(crate) fn has_policy_scopes(&self) -> bool {
        [Scope::PoliciesRead, Scope::PoliciesWrite].iter().any(|scope| self.scopes.contains(scope))
    }
}

/// The governing grant of a key, or the reason why there is none.
pub type CapabilityStatus = Arc<Result<GoverningGrant, Refusal>>;

/// The grant that currently governs a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoverningGrant {
    pub id: CapabilityId,
    /// The ID of the first grant of the lineage.
    pub root_id: CapabilityId,
    pub policy_id: PolicyId,
    pub policy_version_id: PolicyVersionId,
    pub version: u32,
    pub actions: Vec<CapabilityAction>,
}

impl GoverningGrant {
    pub(crate) fn check_action(&self, actions: &[CapabilityAction]) -> Result<(), Refusal> {
        let missing = actions.iter().find(|action| !self.actions.contains(action));
        missing.map_or(Ok(()), |missing| Err(refuse::action_not_granted(*missing)))
    }

    /// Checks that the grant names this version, without revealing whether the version exists.
    pub(crate) fn names_version(&self, policy: PolicyId, version: u32) -> Result<(), Refusal> {
        let is_match = self.policy_id == policy && self.version == version;
        if is_match { Ok(()) } else { Err(refuse::version_not_granted()) }
    }
}

/// An authenticated operator key, which has no tenant.
#[derive(Clone, Debug)]
pub struct OperatorKey {
    pub id: ApiKeyId,
    pub name: String,
}

/// A user outside any tenant who has just authenticated, for actions on the user's own account.
#[derive(Clone, Debug)]
pub struct Person {
    pub user_id: UserId,
    pub email: String,
}

/// A signed-in user in one tenant.
#[derive(Clone, Debug)]
pub struct Human {
    pub tenant_id: TenantId,
    pub user_id: UserId,
    pub email: String,
    pub role: Role,
    /// The way the user signed in.
    pub method: AuthMethod,
    /// The time at which the user last authenticated, in a way that gives access to the tenant.
    pub confirmed_at: Timestamp,
    /// The way the user authenticated at that time.
    pub confirmed_with: AuthMethod,
    /// The tenant's activation counter when the membership was checked.
    pub activations: i64,
}

impl Caller {
    /// Returns the user behind the caller, for comparisons of people (contract, section 9).
    pub fn person(&self) -> Option<UserId> {
        match self {
            Self::Key(key) => key.owner,
            Self::Human(human) => Some(human.user_id),
            Self::Person(person) => Some(person.user_id),
            Self::OperatorKey(_) | Self::Public | Self::Operator | Self::Service => None,
        }
    }

    /// Returns the ID of the user or key under which the caller's actions are stored.
    pub fn principal(&self) -> Option<String> {
        match self {
            Self::Key(key) => Some(key.id.to_string()),
            Self::Human(human) => Some(human.user_id.to_string()),
            Self::Person(person) => Some(person.user_id.to_string()),
            Self::OperatorKey(key) => Some(key.id.to_string()),
            Self::Public | Self::Operator | Self::Service => None,
        }
    }
}
