//! What a credential may do: scopes of keys, roles of people, and the rights between them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),+ $(,)?) => {
        /// A scope of an API key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Scope { $($(#[$doc])* #[serde(rename = $text)] $name,)+ }

        impl Scope {
            /// All scopes.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }

        #[cfg(feature = "openapi")]
        crate::schema::words!(Scope, [$($text),+]);
    };
}

scopes! {
    /// List and read policies, versions, groups.
    PoliciesRead = "policies:read",
    /// Create, update, deactivate policies and groups.
    PoliciesWrite = "policies:write",
    /// Evaluate decisions as a dry run.
    DecisionsEvaluate = "decisions:evaluate",
    /// List and read recorded decisions.
    DecisionsRead = "decisions:read",
    /// Record decisions.
    DecisionsWrite = "decisions:write",
    /// List and read alerts.
    AlertsRead = "alerts:read",
    /// Acknowledge alerts, manage webhook subscriptions.
    AlertsWrite = "alerts:write",
    /// Read audit events.
    AuditRead = "audit:read",
    /// Verify the audit log.
    AuditAdmin = "audit:admin",
    /// List and read tenant members.
    MembersRead = "members:read",
    /// Invite, update, remove tenant members.
    MembersWrite = "members:write",
    /// Create, list, revoke API keys.
    ApiKeysAdmin = "api-keys:admin",
    /// Carrier of authoring capabilities.
    AuthoringCapability = "authoring:capability",
    /// Cross-tenant operator scope; never granted through the API.
    TenantsProvision = "tenants:provision",
}

impl Scope {
    /// Whether the API may grant it.
    pub fn grantable(self) -> bool {
        self != Self::TenantsProvision
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|scope| scope.as_str() == text).ok_or(())
    }
}

/// What a person may do in a tenant (contract, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads; looks after alerts, webhooks and forms.
    Operator,
    /// Reads; lists and verifies the audit log.
    Auditor,
    /// Writes drafts, records decisions.
    Author,
    /// Judges drafts.
    Reviewer,
    /// Ratifies and activates.
    Ratifier,
    /// Looks after people, keys and settings.
    Admin,
}

/// One column of the contract's table of rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Read policies, decisions, alerts, forms.
    Read,
    /// Acknowledge alerts; webhooks; forms.
    Operate,
    /// Read and verify the audit log.
    Audit,
    /// Draft, submit, recall; record decisions.
    Author,
    /// Review records, reject.
    Review,
    /// Ratify, activate, deactivate.
    Ratify,
    /// Members, keys, settings.
    Administer,
    /// Work under a capability: programs, and no role in a tenant.
    Carry,
    /// Make tenants: whoever operates the service, and no role in a tenant.
    Provision,
}

impl Right {
    /// The rights that a role can have.
    pub const OF_ROLES: [Self; 7] = [
        Self::Read,
        Self::Operate,
        Self::Audit,
        Self::Author,
        Self::Review,
        Self::Ratify,
        Self::Administer,
    ];
}

impl Role {
    /// All roles, in the order of the contract.
    pub const ALL: [Self; 7] = [
        Self::Viewer,
        Self::Operator,
        Self::Auditor,
        Self::Author,
        Self::Reviewer,
        Self::Ratifier,
        Self::Admin,
    ];

    /// The words of the wire.
    pub const WORDS: [&'static str; 7] =
        ["viewer", "operator", "auditor", "author", "reviewer", "ratifier", "admin"];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Auditor => "auditor",
            Self::Author => "author",
            Self::Reviewer => "reviewer",
            Self::Ratifier => "ratifier",
            Self::Admin => "admin",
        }
    }

    /// Whether the role has the right.
    pub const fn may(self, right: Right) -> bool {
        use Role::{Admin, Auditor, Author, Operator, Ratifier, Reviewer};
        match right {
            Right::Read => true,
            Right::Operate => matches!(self, Operator | Author | Reviewer | Ratifier | Admin),
            Right::Audit => matches!(self, Auditor | Ratifier | Admin),
            Right::Author => matches!(self, Author | Reviewer | Ratifier | Admin),
            Right::Review => matches!(self, Reviewer | Ratifier | Admin),
            Right::Ratify => matches!(self, Ratifier | Admin),
            Right::Administer => matches!(self, Admin),
            Right::Carry | Right::Provision => false,
        }
    }

    /// Returns whether the role `next` lacks a right that this role has.
    pub fn loses_rights_as(self, next: Self) -> bool {
        Right::OF_ROLES.into_iter().any(|right| self.may(right) && !next.may(right))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(())
    }
}
