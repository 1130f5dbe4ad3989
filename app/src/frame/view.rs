//! The frame of every page of a tenant: the user, the tenant, and the counters.

use contract::session::Session;
use governance::access::session::TimeLeft;
use page_kit::{prelude::*, request::Person};

/// The user, the tenant, and the user's other tenants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub tenant: TenantId,
    pub tenant_name: String,
    pub role: Role,
    pub person: Person,
    pub session: TimeLeft,
    /// The user's other tenants, by name.
    pub others: Vec<TenantMembership>,
    /// The number of versions that need the user's action.
    pub inbox: u64,
    pub open_alerts: u64,
    /// The number of dead deliveries; 0 if the user cannot view them.
    pub dead_deliveries: u64,
}

/// A tenant of a user, with the user's role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantMembership {
    pub tenant: TenantId,
    pub name: String,
    pub role: Role,
}

impl TenantMembership {
    /// Returns the start page: the inbox if the role can act, else the overview.
    pub fn start(&self) -> String {
        if self.role.has(Right::Operate) {
            url::inbox(self.tenant)
        } else {
            url::overview(self.tenant)
        }
    }
}

pub fn memberships(session: &Session) -> Vec<TenantMembership> {
    let to_membership = |membership: &contract::session::Membership| TenantMembership {
        tenant: membership.tenant_id,
        name: membership.tenant_name.clone(),
        role: membership.role,
    };
    session.memberships.iter().map(to_membership).collect()
}

impl Frame {
    /// Returns the frame of `tenant` for a signed-in user, or `None` if the user is not a member.
    pub fn of(session: &Session, time: TimeLeft, tenant: TenantId) -> Option<Self> {
        let (current, others): (Vec<_>, Vec<_>) =
            memberships(session).into_iter().partition(|membership| membership.tenant == tenant);
        let current = current.into_iter().next()?;
        Some(Self {
            tenant,
            tenant_name: current.name,
            role: current.role,
            person: session.into(),
            session: time,
            others,
            inbox: 0,
            open_alerts: 0,
            dead_deliveries: 0,
        })
    }
}
