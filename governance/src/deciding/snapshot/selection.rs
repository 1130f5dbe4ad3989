//! The selection of policies for an evaluation.

use std::slice;

use contract::{evaluation::Narrowing, id::PolicyId};

/// The selection of a request among the tenant's own policies, in addition to its decision type. Inherited
/// policies always apply: a request cannot leave out what the tenant hierarchy requires.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PolicySelection<'a> {
    /// Case-insensitive.
    pub(super) policy_group_code: Option<&'a str>,
    pub(super) policy_ids: Option<&'a [PolicyId]>,
    pub(super) origin: SelectionOrigin,
}

/// The origin of a selection. It determines the error if a selected policy is not active.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum SelectionOrigin {
    /// The request: `VALIDATION_ERROR`, because the caller can correct it.
    #[default]
    Request,
    /// A form: `NO_ACTIVE_POLICIES`, because the submitter did not select its policy.
    Form,
}

impl<'a> PolicySelection<'a> {
    pub(crate) fn requested(
        policy_group_code: Option<&'a str>,
        policy_ids: Option<&'a [PolicyId]>,
    ) -> Self {
        Self { policy_group_code, policy_ids, origin: SelectionOrigin::Request }
    }

    /// Returns the selection of a form, whose submissions are decided by `policy`.
    pub(crate) fn of_form(policy: &'a PolicyId) -> Self {
        Self {
            policy_group_code: None,
            policy_ids: Some(slice::from_ref(policy)),
            origin: SelectionOrigin::Form,
        }
    }

    pub(crate) fn recorded(narrowing: Option<&'a Narrowing>) -> Self {
        Self::requested(
            narrowing.and_then(|narrowing| narrowing.policy_group_code.as_deref()),
            narrowing.and_then(|narrowing| narrowing.policy_ids.as_deref()),
        )
    }

    /// Returns the `narrowing` member of a result; `None` if the request selected all policies.
    pub(crate) fn to_narrowing(self) -> Option<Narrowing> {
        Narrowing::new(self.policy_group_code, self.policy_ids)
    }
}
