//! One operation, by one caller, at one instant.

use std::{fmt, sync::Arc};

use contract::{
    id::{PolicyId, TenantId},
    scope::{Role, Scope},
    time::Timestamp,
};

use crate::{
    Governance,
    caller::{Caller, Human, Key, Person},
    capability::Governing,
    error::{
        Refusal, Result,
        capability::{beside_policies, carriers_only, missing},
        confirmation_required, foreign_tenant, human_required, insufficient_scope, role_lacks,
        unauthorized,
    },
    permission::{PROVISION, Permission},
    tenancy::Tenant,
};

/// How old a sign-in may be for a signing act, in milliseconds: 15 minutes (contract, section 2).
const CONFIRMATION_MS: i64 = 15 * 60 * 1_000;

/// The name of one request across answers, logs and records. Cheap to clone: each layer has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrelationId(Arc<str>);

impl CorrelationId {
    /// A well-formed id of the caller's: 1 to 128 of `[A-Za-z0-9._:-]`.
    pub fn parse(text: &str) -> Option<Self> {
        let good = (1..=128).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte));
        good.then(|| Self(text.into()))
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
        Self((*id.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer())).into())
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

    /// Whether the caller may do what `permission` names: somewhere, at least.
    ///
    /// # Errors
    /// As [`Cx::tenant`]; for a key that carries a capability `AUTHORING_CAPABILITY_…` where a grant
    /// opens what its scopes do not.
    pub fn may(&self, permission: Permission) -> Result<()> {
        if permission.is_for_carriers() {
            return self.carrier(permission).map(drop);
        }
        match self.granted(permission)? {
            Some(_) => Ok(()),
            None => self.tenant(permission).map(drop),
        }
    }

    /// The tenant, as proof that the caller may do what `permission` names to one version: by scope or
    /// role, or by a grant that names it. Who works under a grant gets at no other version.
    ///
    /// # Errors
    /// As [`Cx::tenant`]; `AUTHORING_CAPABILITY_…` for a key that carries a capability.
    pub(crate) fn tenant_of_version(
        &self,
        permission: Permission,
        policy: PolicyId,
        version: u32,
    ) -> Result<Tenant<'_>> {
        let Some((key, governing)) = self.granted(permission)? else {
            return self.tenant(permission);
        };
        governing.names(policy, version)?;
        Ok(Tenant::new(self, key.tenant_id, key.activations))
    }

    /// The tenant of a key that carries a capability, and the grant that governs it.
    ///
    /// # Errors
    /// `FORBIDDEN` for everybody else; `AUTHORING_CAPABILITY_OBJECT_MISMATCH` for a key with a scope
    /// over policies besides; `AUTHORING_CAPABILITY_…` for a grant that does not hold or allow this.
    pub(crate) fn carrier(&self, permission: Permission) -> Result<(Tenant<'_>, &Governing)> {
        let Caller::Key(key) = &self.caller else {
            self.tenant(permission)?;
            return Err(carriers_only().into());
        };
        if !key.scopes.contains(&Scope::AuthoringCapability) {
            return Err(carriers_only().into());
        }
        if key.is_beside_policies() {
            return Err(beside_policies().into());
        }
        let (key, governing) = self.granted(permission)?.ok_or_else(missing)?;
        Ok((Tenant::new(self, key.tenant_id, key.activations), governing))
    }

    /// The key and its grant, where a grant opens what is asked for. Nothing for callers who carry
    /// none, and where grants open nothing.
    fn granted(&self, permission: Permission) -> Result<Option<(&Key, &Governing)>> {
        let Caller::Key(key) = &self.caller else { return Ok(None) };
        let (Some(standing), Some(actions)) = (&key.capability, permission.actions) else {
            return Ok(None);
        };
        let governing = standing.as_ref().as_ref().map_err(Refusal::clone)?;
        governing.allows(actions)?;
        Ok(Some((key, governing)))
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

    /// Checks that a person has signed in or confirmed not long ago. Keys have no sign-in and pass.
    ///
    /// # Errors
    /// `FORBIDDEN` for a sign-in that is too old.
    pub(crate) fn check_freshness(&self) -> Result<()> {
        match &self.caller {
            Caller::Human(human) => self.is_fresh(human),
            _ => Ok(()),
        }
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

    /// The service.
    pub fn governance(&self) -> &Governance {
        &self.governance
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
