//! The form of an action on a version.

use leptos::{prelude::*, server_fn::ServerFn};

use super::problem::ProblemNote;
use crate::{
    flash::RejectedForm,
    version::{act::ActOnVersion, actions::VersionAction, view::VersionPage},
};

/// The form of a version action. Hidden fields contain the state of the version that the user saw. The problem of an
/// earlier submission is shown above the fields.
#[component]
pub(crate) fn VersionForm(
    version_action: VersionAction,
    version: StoredValue<VersionPage>,
    /// The input of an earlier, rejected submission.
    rejected: Option<RejectedForm>,
    children: Children,
) -> impl IntoView {
    let note = rejected
        .map(|rejected| rejected.problem)
        .filter(|problem| !problem.asks_for_confirmation())
        .map(|problem| view! { <ProblemNote problem /> });
    let version = version.get_value();
    let action_name = format!("{version_action:?}");
    // An activation replaces the version that was active when the user opened the page.
    let replaces = (version_action == VersionAction::Activate).then(|| {
        let active = version.deciding.as_ref().map(|deciding| deciding.version.to_string());
        view! { <input type="hidden" name="form[replaces]" value=active.unwrap_or_default() /> }
    });
    view! {
        <form class="act-form" method="post" action=ActOnVersion::url() data-once="">
            {note}
            <input type="hidden" name="form[act]" value=action_name />
            <input type="hidden" name="form[tenant]" value=version.tenant.to_string() />
            <input type="hidden" name="form[policy]" value=version.policy.to_string() />
            <input type="hidden" name="form[version]" value=version.version />
            <input type="hidden" name="form[revision]" value=version.revision />
            <input type="hidden" name="form[digest]" value=version.rules_digest />
            <input type="hidden" name="form[status]" value=version.status.as_str() />
            {replaces}
            {children()}
        </form>
    }
}
