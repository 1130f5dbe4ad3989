//! Authorization vocabulary: scopes of API keys, roles of members, and rights.

string_enum! {
    /// A scope of an API key.
    pub enum Scope {
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
        /// Hold authoring capabilities.
        AuthoringCapability = "authoring:capability",
        /// Create tenants. Cross-tenant scope of operators; it cannot be granted through the API.
        TenantsProvision = "tenants:provision",
    }
}

impl Scope {
    /// Returns whether the scope can be granted through the API.
    pub fn is_grantable(self) -> bool {
        self != Self::TenantsProvision
    }
}

string_enum! {
    /// The role of a member in a tenant (contract, section 2).
    pub enum Role {
        /// Can read.
        Viewer = "viewer",
        /// Can read, and manage alerts, webhooks and forms.
        Operator = "operator",
        /// Can read, and list and verify the audit log.
        Auditor = "auditor",
        /// Can write drafts and record decisions.
        Author = "author",
        /// Can review drafts.
        Reviewer = "reviewer",
        /// Can ratify and activate versions.
        Ratifier = "ratifier",
        /// Can manage members, API keys and settings.
        Admin = "admin",
    }
}

/// A right, one column of the table of rights in the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Read policies, decisions, alerts, forms.
    Read,
    /// Acknowledge alerts, manage webhooks and forms.
    Operate,
    /// Read and verify the audit log.
    Audit,
    /// Draft, submit and recall versions, record decisions.
    Author,
    /// Create review records, reject versions.
    Review,
    /// Ratify, activate and deactivate versions.
    Ratify,
    /// Manage members, API keys and settings.
    Administer,
    /// Use an authoring capability. Only API keys have this right, no role does.
    UseCapability,
    /// Create tenants. Only operators have this right, no role does.
    Provision,
}

impl Right {
    /// The rights that roles can have.
    pub const OF_ROLES: [Self; 7] = [
        Self::Read,
        Self::Operate,
        Self::Audit,
        Self::Author,
        Self::Review,
        Self::Ratify,
        Self::Administer,
    ];

    /// Returns the lowest role that has the right; `None` if no role has it.
    pub fn lowest_role(self) -> Option<Role> {
        Role::ALL.iter().copied().find(|role| role.has(self))
    }
}

impl Role {
    /// Returns whether the role has the right.
    pub const fn has(self, right: Right) -> bool {
        use Role::{Admin, Auditor, Author, Operator, Ratifier, Reviewer};
        match right {
            Right::Read => true,
            Right::Operate => matches!(self, Operator | Author | Reviewer | Ratifier | Admin),
            Right::Audit => matches!(self, Auditor | Ratifier | Admin),
            Right::Author => matches!(self, Author | Reviewer | Ratifier | Admin),
            Right::Review => matches!(self, Reviewer | Ratifier | Admin),
            Right::Ratify => matches!(self, Ratifier | Admin),
            Right::Administer => matches!(self, Admin),
            Right::UseCapability | Right::Provision => false,
        }
    }

    /// Returns the role with its indefinite article, for sentences: "an author".
    pub fn with_article(self) -> String {
        let name = self.as_str();
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {name}")
    }

    /// Returns whether the role `next` lacks a right that this role has.
    pub fn loses_rights_as(self, next: Self) -> bool {
        Right::OF_ROLES.into_iter().any(|right| self.has(right) && !next.has(right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_has_its_article() {
        let roles = Role::ALL.map(Role::with_article).join(", ");
        assert_eq!(
            roles,
            "a viewer, an operator, an auditor, an author, a reviewer, a ratifier, an admin"
        );
    }
}
