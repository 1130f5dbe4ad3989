//! Authorization of the caller of an operation.

use crate::{
    access::permission::{PROVISION, Permission},
    base::{
        caller::{ApiKeyCaller, GoverningGrant},
        error::{
            capability::{capability_required, has_policy_scopes, missing},
            human_required, insufficient_scope, reauthentication_required, role_lacks_permission,
            tenant_mismatch,
        },
        prelude::*,
    },
};

/// The maximum age of a sign-in for actions that sign, in milliseconds: 15 minutes (contract, section
/// 2).
const RECENT_SIGN_IN_MS: i64 = 15 * 60 * 1_000;

/// Checks that a user authenticated recently.
///
/// # Errors
/// `CONFIRMATION_REQUIRED`.
pub(crate) fn check_recent(confirmed_at: Timestamp, now: Timestamp) -> Result<()> {
    let age = now.millis().saturating_sub(confirmed_at.millis());
    if age > RECENT_SIGN_IN_MS { Err(reauthentication_required().into()) } else { Ok(()) }
}

impl Cx {
    /// Authorizes the caller for `permission` and returns its tenant.
    ///
    /// # Errors
    /// `INSUFFICIENT_SCOPE`; `HUMAN_REQUIRED`; `FORBIDDEN` for a role without the right;
    /// `CONFIRMATION_REQUIRED` for a sign-in too old to sign; `UNAUTHORIZED` for a caller without
    /// authentication.
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
                self.require_human(human, permission)?;
                (human.tenant_id, human.activations)
            }
            Caller::OperatorKey(_) => return Err(tenant_mismatch().into()),
            Caller::Person(_) | Caller::Public | Caller::Operator | Caller::Service => {
                return Err(unauthorized().into());
            }
        };
        Ok(Tenant::new(self, tenant_id, activations))
    }

    /// Checks that the caller has `permission` for at least one object.
    ///
    /// # Errors
    /// As [`Cx::tenant`]; `AUTHORING_CAPABILITY_…` for a capability holder when the permission requires
    /// a grant.
    pub fn authorize(&self, permission: Permission) -> Result<()> {
        if permission.requires_capability() {
            return self.capability_holder(permission).map(drop);
        }
        match self.governing_grant(permission)? {
            Some(_) => Ok(()),
            None => self.tenant(permission).map(drop),
        }
    }

    /// Authorizes the caller for `permission` on one version and returns its tenant.
    ///
    /// The permission comes from a scope, a role or a grant. A grant gives access only to the version
    /// that it names.
    ///
    /// # Errors
    /// As [`Cx::tenant`]; `AUTHORING_CAPABILITY_…` for a capability holder.
    pub(crate) fn tenant_of_version(
        &self,
        permission: Permission,
        policy: PolicyId,
        version: u32,
    ) -> Result<Tenant<'_>> {
        let Some((key, governing)) = self.governing_grant(permission)? else {
            return self.tenant(permission);
        };
        governing.names_version(policy, version)?;
        Ok(Tenant::new(self, key.tenant_id, key.activations))
    }

    /// Authorizes a capability holder and returns its tenant and governing grant.
    ///
    /// # Errors
    /// `FORBIDDEN` for all other callers; `AUTHORING_CAPABILITY_OBJECT_MISMATCH` for a key that also
    /// has a policy scope; `AUTHORING_CAPABILITY_…` for a grant that is invalid or does not allow the
    /// action.
    pub(crate) fn capability_holder(
        &self,
        permission: Permission,
    ) -> Result<(Tenant<'_>, &GoverningGrant)> {
        let Caller::Key(key) = &self.caller else {
            self.tenant(permission)?;
            return Err(capability_required().into());
        };
        if !key.scopes.contains(&Scope::AuthoringCapability) {
            return Err(capability_required().into());
        }
        if key.has_policy_scopes() {
            return Err(has_policy_scopes().into());
        }
        let (key, governing) = self.governing_grant(permission)?.ok_or_else(missing)?;
        Ok((Tenant::new(self, key.tenant_id, key.activations), governing))
    }

    /// Returns the key and its governing grant when the permission comes from a grant. Returns `None`
    /// for callers without a capability and for permissions that no grant gives.
    fn governing_grant(
        &self,
        permission: Permission,
    ) -> Result<Option<(&ApiKeyCaller, &GoverningGrant)>> {
        let Caller::Key(key) = &self.caller else { return Ok(None) };
        let (Some(status), Some(actions)) = (&key.capability, permission.actions) else {
            return Ok(None);
        };
        let governing = status.as_ref().as_ref().map_err(Refusal::clone)?;
        governing.check_action(actions)?;
        Ok(Some((key, governing)))
    }

    fn require_human(&self, human: &Human, permission: Permission) -> Result<()> {
        if !human.role.has(permission.right) {
            return Err(role_lacks_permission(permission.name, permission.right, human.role).into());
        }
        if permission.signs { self.check_recent_sign_in(human) } else { Ok(()) }
    }

    fn check_recent_sign_in(&self, human: &Human) -> Result<()> {
        check_recent(human.confirmed_at, self.now)
    }

    /// Checks that a user signed in or confirmed the password recently. Keys have no sign-in and pass.
    ///
    /// # Errors
    /// `CONFIRMATION_REQUIRED` for a sign-in that is too old.
    pub(crate) fn check_freshness(&self) -> Result<()> {
        match &self.caller {
            Caller::Human(human) => self.check_recent_sign_in(human),
            _ => Ok(()),
        }
    }

    /// Checks that the caller operates the service.
    ///
    /// # Errors
    /// `INSUFFICIENT_SCOPE` for an API key; `FORBIDDEN` for a user; `UNAUTHORIZED` for a caller without
    /// authentication.
    pub(crate) fn require_operator(&self) -> Result<()> {
        match &self.caller {
            Caller::Operator | Caller::OperatorKey(_) => Ok(()),
            Caller::Key(_) => Err(insufficient_scope(Scope::TenantsProvision).into()),
            Caller::Human(human) => self.require_human(human, PROVISION),
            Caller::Person(_) | Caller::Public | Caller::Service => Err(unauthorized().into()),
        }
    }

    /// Returns a tenant without authorization, for the operator and for public paths that contain the ID
    /// of one of its objects.
    pub(crate) fn tenant_unchecked(&self, tenant_id: TenantId) -> Tenant<'_> {
        Tenant::new(self, tenant_id, 0)
    }
}
