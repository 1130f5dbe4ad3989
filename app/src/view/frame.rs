//! What surrounds every page of a tenant: who is here, and where.

use contract::{
    id::TenantId,
    scope::{Right, Role},
    session::Session,
};
use serde::{Deserialize, Serialize};

use crate::text::url;

/// The person, the tenant, and the person's other tenants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The tenant.
    pub tenant: TenantId,
    /// Its name.
    pub tenant_name: String,
    /// The person's role in it.
    pub role: Role,
    /// The person.
    pub person: Person,
    /// The person's other tenants, by name.
    pub others: Vec<Place>,
    /// How many alerts nobody has acknowledged.
    pub open_alerts: u64,
    /// How many deliveries to webhooks were given up; none for whoever may not see them.
    pub dead_deliveries: u64,
}

/// A person as pages name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The name to show.
    pub name: String,
    /// The e-mail address.
    pub email: String,
}

/// A tenant that a person belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The tenant.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// The person's role in it.
    pub role: Role,
}

impl Place {
    /// The page to begin with: the inbox of whoever acts here, else the policies.
    pub fn start(&self) -> String {
        if self.role.may(Right::Operate) {
            url::inbox(self.tenant)
        } else {
            url::policies(self.tenant)
        }
    }
}

/// The tenants of a signed-in person.
pub fn places(session: &Session) -> Vec<Place> {
    let place = |membership: &contract::session::Membership| Place {
        tenant: membership.tenant_id,
        name: membership.tenant_name.clone(),
        role: membership.role,
    };
    session.memberships.iter().map(place).collect()
}

impl From<&Session> for Person {
    fn from(session: &Session) -> Self {
        Self { name: session.user.display_name.clone(), email: session.user.email.clone() }
    }
}

impl Frame {
    /// The frame of `tenant` for a signed-in person; `None` when the person does not belong to it.
    pub fn of(session: &Session, tenant: TenantId) -> Option<Self> {
        let (here, others): (Vec<_>, Vec<_>) =
            places(session).into_iter().partition(|place| place.tenant == tenant);
        let here = here.into_iter().next()?;
        Some(Self {
            tenant,
            tenant_name: here.name,
            role: here.role,
            person: session.into(),
            others,
            open_alerts: 0,
            dead_deliveries: 0,
        })
    }
}
