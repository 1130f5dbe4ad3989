//! Who asks.

use contract::{
    id::{ApiKeyId, TenantId, UserId},
    scope::{Role, Scope},
    time::Timestamp,
};

use crate::capability::Standing;

/// Who asks for an operation.
#[derive(Clone, Debug)]
pub enum Caller {
    /// An API key.
    Key(Key),
    /// A signed-in person, in one tenant.
    Human(Human),
    /// An operator's key, in no tenant.
    OperatorKey(OperatorKey),
    /// A person in no tenant, who has just proved who it is: at the door, about the own account.
    Person(Person),
    /// Nobody in particular, on a public path.
    Public,
    /// Whoever runs the process: the command line, and the start of the service.
    Operator,
}

/// An API key that was let in.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its tenant.
    pub tenant_id: TenantId,
    /// The key.
    pub id: ApiKeyId,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// The person it acts for, where people are compared.
    pub owner: Option<UserId>,
    /// The time from which it is refused; absent when it does not expire.
    pub expires_at: Option<Timestamp>,
    /// The tenant's activation counter when the key was checked.
    pub activations: i64,
    /// Of a key that carries a capability: the grant that governs it, or why none does.
    pub capability: Option<Standing>,
}

impl Key {
    /// Whether the key works under a capability: it carries one, and has no say over policies of its
    /// own.
    pub fn is_carrier(&self) -> bool {
        self.scopes.contains(&Scope::AuthoringCapability) && !self.is_beside_policies()
    }

    /// Whether the key reads or writes policies by its scopes.
    pub(crate) fn is_beside_policies(&self) -> bool {
        [Scope::PoliciesRead, Scope::PoliciesWrite].iter().any(|scope| self.scopes.contains(scope))
    }
}

/// An operator's key that was let in.
#[derive(Clone, Debug)]
pub struct OperatorKey {
    /// The key.
    pub id: ApiKeyId,
    /// Its name.
    pub name: String,
}

/// A person in no tenant.
#[derive(Clone, Debug)]
pub struct Person {
    /// The person.
    pub user_id: UserId,
    /// The person's address.
    pub email: String,
}

/// A signed-in person, in one tenant.
#[derive(Clone, Debug)]
pub struct Human {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The person.
    pub user_id: UserId,
    /// The person's address.
    pub email: String,
    /// The role in the tenant.
    pub role: Role,
    /// When the password was last asked for.
    pub confirmed_at: Timestamp,
    /// The tenant's activation counter when the membership was checked.
    pub activations: i64,
}

impl Caller {
    /// The person behind the caller, where people are compared (contract, section 9).
    pub fn person(&self) -> Option<UserId> {
        match self {
            Self::Key(key) => key.owner,
            Self::Human(human) => Some(human.user_id),
            Self::Person(person) => Some(person.user_id),
            Self::OperatorKey(_) | Self::Public | Self::Operator => None,
        }
    }

    /// The id under which the caller's acts are kept: a person's, or a key's.
    pub fn principal(&self) -> Option<String> {
        match self {
            Self::Key(key) => Some(key.id.to_string()),
            Self::Human(human) => Some(human.user_id.to_string()),
            Self::Person(person) => Some(person.user_id.to_string()),
            Self::OperatorKey(key) => Some(key.id.to_string()),
            Self::Public | Self::Operator => None,
        }
    }
}
