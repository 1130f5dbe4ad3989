//! One operation, by one caller, at one instant.

use std::fmt;

use contract::{
    id::TenantId,
    scope::{Role, Scope},
    time::Timestamp,
};

use crate::{
    Governance,
    caller::{Caller, Human, Person},
    error::{
        Result, confirmation_required, foreign_tenant, human_required, insufficient_scope,
        role_lacks, unauthorized,
    },
    permission::{PROVISION, Permission},
    tenancy::Tenant,
};

/// How old a sign-in may be for a signing act, in milliseconds: 15 minutes (contract, section 2).
const CONFIRMATION_MS: i64 = 15 * 60 * 1_000;

/// The name of one request across answers, logs and records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrelationId(String);

impl CorrelationId {
    /// A well-formed id of the caller's: 1 to 128 of `[A-Za-z0-9._:-]`.
    pub fn parse(text: &str) -> Option<Self> {
        let good = (1..=128).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte));
        good.then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CorrelationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<uuid::Uuid> for CorrelationId {
    fn from(id: uuid::Uuid) -> Self {
        Self(id.to_string())
    }
}

/// One operation: who asks, when, and under which correlation id.
#[derive(Clone, Debug)]
pub struct Cx {
    /// Who asks.
    pub caller: Caller,
    /// Fixed for the whole operation.
    pub now: Timestamp,
    /// The request's name.
    pub correlation_id: CorrelationId,
    pub(crate) governance: Governance,
}

impl Cx {
    /// The tenant, as proof that the caller may do what `permission` names.
    ///
    /// # Errors
    /// `INSUFFICIENT_SCOPE`; `HUMAN_REQUIRED`; `FORBIDDEN` for a role without the right or a sign-in
    /// too old to sign; `UNAUTHORIZED` without a caller.
    pub fn tenant(&self, permission: Permission) -> Result<Tenant<'_>> {
        let (tenant_id, activations) = match &self.caller {
            Caller::Key(key) => {
                let scopes = permission.scopes.ok_or_else(human_required)?;
                if let Some(lacking) = scopes.iter().find(|scope| !key.scopes.contains(scope)) {
                    return Err(insufficient_scope(*lacking).into());
                }
                (key.tenant_id, key.activations)
            }
            Caller::Human(human) => {
                self.check_human(human, permission)?;
                (human.tenant_id, human.activations)
            }
            Caller::OperatorKey(_) => return Err(foreign_tenant().into()),
            Caller::Person(_) | Caller::Public | Caller::Operator => {
                return Err(unauthorized().into());
            }
        };
        Ok(Tenant::new(self, tenant_id, activations))
    }

    fn check_human(&self, human: &Human, permission: Permission) -> Result<()> {
        if !human.role.may(permission.right) {
            return Err(role_lacks(permission.name, human.role.as_str()).into());
        }
        if permission.signs { self.is_fresh(human) } else { Ok(()) }
    }

    fn is_fresh(&self, human: &Human) -> Result<()> {
        let age = self.now.millis().saturating_sub(human.confirmed_at.millis());
        if age > CONFIRMATION_MS { Err(confirmation_required().into()) } else { Ok(()) }
    }

    /// The signed-in person, whose password was asked for not long ago: for an act that weighs as
    /// much as a signature, though its permission does not always ask for one.
    ///
    /// # Errors
    /// `HUMAN_REQUIRED` when a key asks; `FORBIDDEN` for a sign-in that is too old.
    pub(crate) fn fresh(&self) -> Result<&Human> {
        let human = self.human()?;
        self.is_fresh(human)?;
        Ok(human)
    }

    /// Lets only those through who operate the service.
    ///
    /// # Errors
    /// `INSUFFICIENT_SCOPE` for a tenant's key; `FORBIDDEN` for a person; `UNAUTHORIZED` without a
    /// caller.
    pub(crate) fn provision(&self) -> Result<()> {
        match &self.caller {
            Caller::Operator | Caller::OperatorKey(_) => Ok(()),
            Caller::Key(_) => Err(insufficient_scope(Scope::TenantsProvision).into()),
            Caller::Human(human) => self.check_human(human, PROVISION),
            Caller::Person(_) | Caller::Public => Err(unauthorized().into()),
        }
    }

    /// The tenant, for whoever runs the process, or for a public path whose id names it.
    pub(crate) fn tenant_unchecked(&self, tenant_id: TenantId) -> Tenant<'_> {
        Tenant::new(self, tenant_id, 0)
    }

    /// The signed-in person.
    ///
    /// # Errors
    /// `HUMAN_REQUIRED` when a key asks.
    pub fn human(&self) -> Result<&Human> {
        match &self.caller {
            Caller::Human(human) => Ok(human),
            _ => Err(human_required().into()),
        }
    }

    /// The same operation, by a person who has proved who it is.
    pub(crate) fn by(&self, person: Person) -> Self {
        Self { caller: Caller::Person(person), ..self.clone() }
    }

    /// The role of the signed-in person.
    pub fn role(&self) -> Option<Role> {
        match &self.caller {
            Caller::Human(human) => Some(human.role),
            _ => None,
        }
    }
}
