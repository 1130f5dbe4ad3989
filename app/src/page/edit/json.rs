//! All rules of a draft as one JSON text.

use leptos::{prelude::*, server_fn::ServerFn};

use super::PlaceFields;
use crate::{
    api::editor::SaveRules,
    page::{params, tried::found::FaultList},
    text::{between_tags, time, url, words},
    ui::icon::{Icon, icon},
    view::editor::{JsonText, Place},
};

#[component]
pub(super) fn JsonView(place: Place, json: JsonText) -> impl IntoView {
    let form = place.page();
    let fresh = url::with_query(&form, &[("look", "json-fresh")]);
    let saved = params::query("saved");
    let has_faults = !json.faults.is_empty();
    let done = move || {
        Some(saved())
            .filter(|text| !text.is_empty() && !has_faults)
            .map(|text| words::editor::saved_as(&text))
    };
    let faults = has_faults.then(|| {
        view! {
            <div class="note deny" role="alert" id="json-faults">
                {icon(Icon::Deny)}
                <div>
                    <p class="font-semibold">{words::editor::JSON_FAULTS}</p>
                    <FaultList faults=json.faults/>
                </div>
            </div>
        }
    });
    let (label, moved) = match json.moved {
        None => (words::editor::SAVE.to_owned(), None),
        Some(moved) => {
            let who = moved.by.into_iter().chain(moved.at.map(time::minute));
            let who = who.collect::<Vec<_>>().join(", ");
            let note = view! {
                <div class="note warn" role="alert">
                    {icon(Icon::Warn)}
                    <p>
                        <strong>{words::editor::moved(moved.from, moved.revision)}</strong>
                        " ("
                        <bdi>{who}</bdi>
                        "). "
                        <a href=fresh rel="external">
                            {words::editor::TAKE_THEIRS}
                        </a>
                    </p>
                </div>
            };
            (words::editor::apply(moved.revision), Some(note))
        }
    };
    view! {
        <section class="card">
            <form method="post" action=SaveRules::url() class="stack">
                <div class="sheet-head">
                    <p>
                        <a href=form>{words::editor::AS_FORM}</a>
                    </p>
                    <p class="text-xs text-muted" role="status">
                        {done}
                    </p>
                    <button class="primary">{label}</button>
                </div>
                {faults}
                {moved}
                <PlaceFields place/>
                <div class="field">
                    <label for="json">{words::editor::JSON}</label>
                    <textarea
                        id="json"
                        name="text"
                        class="code-editor"
                        rows="32"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        aria-describedby="json-hint"
                    >
                        {between_tags(json.text)}
                    </textarea>
                    <small id="json-hint" class="text-muted">
                        {words::editor::JSON_HINT}
                    </small>
                </div>
            </form>
        </section>
    }
}
