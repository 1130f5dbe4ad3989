//! The editor of all rules of a draft as one JSON text.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{TargetFields, unsaved::change_source};
use crate::{
    api::editor::SaveRules,
    markup::icon::{Icon, icon},
    page::try_decision::result::ErrorList,
    text::{between_tags, messages, url},
    ui::params,
    view::editor::{EditorTarget, JsonText},
};

#[component]
pub(super) fn JsonView(target: EditorTarget, json: JsonText) -> impl IntoView {
    let form = target.page();
    let discard = url::with_query(&form, &[("look", "json-fresh")]);
    let saved = params::query("saved");
    let has_errors = !json.errors.is_empty();
    let saved_note = move || {
        Some(saved())
            .filter(|text| !text.is_empty() && !has_errors)
            .map(|text| messages::editor::saved_as(&text))
    };
    let described_by = if has_errors { "json-hint json-errors" } else { "json-hint" };
    let errors = has_errors.then(|| {
        view! {
            <div class="note deny" role="alert" id="json-errors">
                {icon(Icon::Deny)}
                <div>
                    <p class="font-semibold">{messages::editor::JSON_ERRORS}</p>
                    <ErrorList errors=json.errors />
                </div>
            </div>
        }
    });
    let (label, conflict_note) = match json.moved {
        None => (messages::editor::SAVE.to_owned(), None),
        Some(conflict) => {
            let change = change_source(&conflict);
            let note = view! {
                <div class="note warn" role="alert">
                    {icon(Icon::Warn)}
                    <p>
                        <strong>
                            {messages::editor::draft_updated(conflict.from, conflict.revision)}
                        </strong>
                        " ("
                        <bdi>{change}</bdi>
                        "). "
                        <a href=discard rel="external">
                            {messages::editor::USE_DRAFT_VALUE}
                        </a>
                    </p>
                </div>
            };
            (messages::editor::apply(conflict.revision), Some(note))
        }
    };
    view! {
        <section class="card">
            <form method="post" action=SaveRules::url() class="stack">
                <div class="panel-head">
                    <p>
                        <a href=form>{messages::editor::AS_FORM}</a>
                    </p>
                    <p class="text-xs text-muted" role="status">
                        {saved_note}
                    </p>
                    <button class="primary">{label}</button>
                </div>
                {errors}
                {conflict_note}
                <TargetFields target />
                <div class="field">
                    <label for="json">{messages::editor::JSON}</label>
                    <textarea
                        id="json"
                        name="text"
                        class="code-editor"
                        rows="32"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        aria-describedby=described_by
                        aria-invalid=has_errors.then_some("true")
                    >
                        {between_tags(json.text)}
                    </textarea>
                    <small id="json-hint" class="text-muted">
                        {messages::editor::JSON_HINT}
                    </small>
                </div>
            </form>
        </section>
    }
}
