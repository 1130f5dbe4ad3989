//! Forms that act on a version: plain posts, and quicker where scripts run.

use leptos::{html, prelude::*, wasm_bindgen::JsCast};
use web_sys::HtmlElement;

use super::problem::ProblemNote;
use crate::{
    api::version::ActOnVersion,
    problem::Problem,
    view::{acts::Act, kept::Kept, version::VersionPage},
};

/// The form around an act, with what the person has seen as hidden fields. It goes inert after one
/// press, and shows why it was refused above its fields.
#[component]
pub(crate) fn VersionForm(
    act: Act,
    version: StoredValue<VersionPage>,
    /// What was refused before, on a page without scripts.
    kept: Option<Kept>,
    children: Children,
) -> impl IntoView {
    let action = ServerAction::<ActOnVersion>::new();
    let pending = action.pending();
    let earlier = kept.map(|kept| kept.problem).filter(|problem| !problem.asks_for_confirmation());
    let problem = move || match action.value().get() {
        Some(Ok(())) => None,
        Some(Err(problem)) => Some(problem),
        None => earlier.clone(),
    };
    let shown = move || problem().map(|problem: Problem| view! { <ProblemNote problem/> });
    let version = version.get_value();
    let word = format!("{act:?}");
    // An activation replaces the version that the person has seen.
    let replaces = (act == Act::Activate).then(|| {
        let active = version.deciding.as_ref().map(|deciding| deciding.version.to_string());
        view! { <input type="hidden" name="form[replaces]" value=active.unwrap_or_default()/> }
    });
    view! {
        <ActionForm action attr:class="act-form" attr:data-pending=move || pending.get().to_string()>
            {shown}
            <input type="hidden" name="form[act]" value=word/>
            <input type="hidden" name="form[tenant]" value=version.tenant.to_string()/>
            <input type="hidden" name="form[policy]" value=version.policy.to_string()/>
            <input type="hidden" name="form[version]" value=version.version/>
            <input type="hidden" name="form[revision]" value=version.revision/>
            <input type="hidden" name="form[digest]" value=version.rules_digest/>
            <input type="hidden" name="form[status]" value=version.status.as_str()/>
            {replaces}
            <fieldset class="bare" disabled=move || pending.get()>
                {children()}
            </fieldset>
        </ActionForm>
    }
}

/// A dialog over the page, opened by a link whose address is the same thing as a page.
#[derive(Clone, Copy)]
pub(crate) struct Dialog(NodeRef<html::Dialog>);

impl Dialog {
    /// A dialog that is closed.
    pub(crate) fn new() -> Self {
        let node = NodeRef::<html::Dialog>::new();
        // A page that is read again keeps its elements; what was open over the old one is over.
        Effect::new(move || {
            if let Some(dialog) = node.get().filter(web_sys::HtmlDialogElement::open) {
                dialog.close();
            }
        });
        Self(node)
    }

    /// The element to tie to.
    pub(crate) fn node(self) -> NodeRef<html::Dialog> {
        self.0
    }

    /// Opens it, unless the reader asked for a new tab. Reading starts at its title.
    pub(crate) fn open(self, event: &leptos::ev::MouseEvent) {
        let elsewhere = event.ctrl_key() || event.meta_key() || event.shift_key();
        if let Some(dialog) = self.0.get_untracked().filter(|_| !elsewhere)
            && dialog.show_modal().is_ok()
        {
            event.prevent_default();
            let title = dialog.query_selector("h2").ok().flatten();
            if let Some(title) = title.and_then(|title| title.dyn_into::<HtmlElement>().ok()) {
                let _ = title.focus();
            }
        }
    }

    /// Closes it; the focus returns to the link that opened it.
    pub(crate) fn close(self, event: &leptos::ev::MouseEvent) {
        if let Some(dialog) = self.0.get_untracked().filter(web_sys::HtmlDialogElement::open) {
            event.prevent_default();
            dialog.close();
        }
    }
}
