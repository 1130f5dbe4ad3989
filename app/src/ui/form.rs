//! Forms for actions on a version: plain POST requests, enhanced when scripts run.

use leptos::{html, prelude::*, wasm_bindgen::JsCast};
use web_sys::HtmlElement;

use super::problem::ProblemNote;
use crate::{
    api::version::ActOnVersion,
    problem::Problem,
    view::{flash::RejectedForm, version::VersionPage, version_actions::VersionAction},
};

/// The form of a version action. Hidden fields contain the state of the version that the user saw.
///
/// The form is disabled after a submission, and shows an error above its fields.
#[component]
pub(crate) fn VersionForm(
    version_action: VersionAction,
    version: StoredValue<VersionPage>,
    /// The input of an earlier, rejected submission, on a page without scripts.
    rejected: Option<RejectedForm>,
    children: Children,
) -> impl IntoView {
    let action = ServerAction::<ActOnVersion>::new();
    let pending = action.pending();
    let earlier_problem = rejected
        .map(|rejected| rejected.problem)
        .filter(|problem| !problem.asks_for_confirmation());
    let problem = move || match action.value().get() {
        Some(Ok(())) => None,
        Some(Err(problem)) => Some(problem),
        None => earlier_problem.clone(),
    };
    let note = move || problem().map(|problem: Problem| view! { <ProblemNote problem /> });
    let version = version.get_value();
    let action_name = format!("{version_action:?}");
    // An activation replaces the version that was active when the user opened the page.
    let replaces = (version_action == VersionAction::Activate).then(|| {
        let active = version.deciding.as_ref().map(|deciding| deciding.version.to_string());
        view! { <input type="hidden" name="form[replaces]" value=active.unwrap_or_default() /> }
    });
    view! {
        <ActionForm
            action
            attr:class="act-form"
            attr:data-pending=move || pending.get().to_string()
        >
            {note}
            <input type="hidden" name="form[act]" value=action_name />
            <input type="hidden" name="form[tenant]" value=version.tenant.to_string() />
            <input type="hidden" name="form[policy]" value=version.policy.to_string() />
            <input type="hidden" name="form[version]" value=version.version />
            <input type="hidden" name="form[revision]" value=version.revision />
            <input type="hidden" name="form[digest]" value=version.rules_digest />
            <input type="hidden" name="form[status]" value=version.status.as_str() />
            {replaces}
            <fieldset class="bare" disabled=move || pending.get()>
                {children()}
            </fieldset>
        </ActionForm>
    }
}

/// A modal dialog, opened by a link. Without scripts, the link opens a page with the same content.
#[derive(Clone, Copy)]
pub(crate) struct Dialog(NodeRef<html::Dialog>);

impl Dialog {
    pub(crate) fn new() -> Self {
        let node = NodeRef::<html::Dialog>::new();
        // Reloaded pages reuse their elements, so a dialog of the previous content is closed.
        Effect::new(move || {
            if let Some(dialog) = node.get().filter(web_sys::HtmlDialogElement::open) {
                dialog.close();
            }
        });
        Self(node)
    }

    pub(crate) fn node(self) -> NodeRef<html::Dialog> {
        self.0
    }

    /// Opens the dialog and focuses its title, unless the user asked for a new tab.
    pub(crate) fn open(self, event: &leptos::ev::MouseEvent) {
        let opens_new_tab = event.ctrl_key() || event.meta_key() || event.shift_key();
        if let Some(dialog) = self.0.get_untracked().filter(|_| !opens_new_tab)
            && dialog.show_modal().is_ok()
        {
            event.prevent_default();
            let title = dialog.query_selector("h2").ok().flatten();
            if let Some(title) = title.and_then(|title| title.dyn_into::<HtmlElement>().ok()) {
                let _ = title.focus();
            }
        }
    }

    /// Closes the dialog; the browser returns the focus to the link that opened it.
    pub(crate) fn close(self, event: &leptos::ev::MouseEvent) {
        if let Some(dialog) = self.0.get_untracked().filter(web_sys::HtmlDialogElement::open) {
            event.prevent_default();
            dialog.close();
        }
    }
}
