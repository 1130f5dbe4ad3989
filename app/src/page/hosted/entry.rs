//! The fields of the form of a form: what is wrong with each stands in words beside it.

use contract::error::FieldError;
use leptos::prelude::*;

use crate::{
    text::{between_tags, words},
    ui::{faults::Told, quoted::quoted},
    view::{editor::is_at, hosted::TICKED},
};

/// The id of the field that shows what stands at `path` of the wire: options have one field for all of
/// them, and so have questions that stand as JSON.
pub(super) fn anchor(path: &str, is_json: bool) -> String {
    let depth = match path.strip_prefix("/fields/") {
        Some(_) if is_json => 1,
        Some(_) => 3,
        None => 2,
    };
    path.split('/').skip(1).take(depth).collect::<Vec<_>>().join("-")
}

/// A field: where its value stands on the wire, its name in what the browser sends, and its words.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) told: Told,
    pub(super) path: String,
    pub(super) name: String,
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
}

/// What ties a control to the words around it.
struct Tied {
    id: String,
    name: String,
    described: String,
    invalid: Option<&'static str>,
}

impl Entry {
    /// A line of text.
    pub(super) fn line(self, value: String) -> AnyView {
        self.input("text", "off", value)
    }

    /// A new password, which is never shown again.
    pub(super) fn password(self) -> AnyView {
        self.input("password", "new-password", String::new())
    }

    fn input(self, kind: &'static str, autocomplete: &'static str, value: String) -> AnyView {
        self.around(|tied| {
            view! {
                <input
                    id=tied.id
                    type=kind
                    name=tied.name
                    value=value
                    autocomplete=autocomplete
                    spellcheck="false"
                    aria-describedby=tied.described
                    aria-invalid=tied.invalid
                />
            }
            .into_any()
        })
    }

    /// Several lines of text.
    pub(super) fn area(self, rows: u8, value: String) -> AnyView {
        self.around(|tied| {
            view! {
                <textarea
                    id=tied.id
                    name=tied.name
                    rows=rows
                    aria-describedby=tied.described
                    aria-invalid=tied.invalid
                >
                    {between_tags(value)}
                </textarea>
            }
            .into_any()
        })
    }

    /// Several lines for machines.
    pub(super) fn code(self, rows: u8, value: String) -> AnyView {
        self.around(|tied| {
            view! {
                <textarea
                    id=tied.id
                    name=tied.name
                    rows=rows
                    class="font-mono"
                    spellcheck="false"
                    aria-describedby=tied.described
                    aria-invalid=tied.invalid
                >
                    {between_tags(value)}
                </textarea>
            }
            .into_any()
        })
    }

    /// A choice among few words.
    pub(super) fn choice(self, choices: Vec<(&'static str, &'static str)>, value: &str) -> AnyView {
        let option = |(choice, word): (&'static str, &'static str)| {
            view! { <option value=choice selected=choice == value>{word}</option> }
        };
        let options = choices.into_iter().map(option).collect_view();
        self.around(|tied| {
            view! {
                <select
                    id=tied.id
                    name=tied.name
                    aria-describedby=tied.described
                    aria-invalid=tied.invalid
                >
                    {options}
                </select>
            }
            .into_any()
        })
    }

    /// A box to tick.
    pub(super) fn tick(self, is_ticked: bool) -> AnyView {
        let id = anchor(&self.path, false);
        view! {
            <label class="tick">
                <input type="checkbox" id=id name=self.name value=TICKED checked=is_ticked/>
                <span>{self.label}</span>
            </label>
        }
        .into_any()
    }

    /// The label, the control, a hint, and what is wrong.
    fn around(self, control: impl FnOnce(Tied) -> AnyView) -> AnyView {
        let Self { told, path, name, label, hint } = self;
        let id = anchor(&path, false);
        let faults = told.with_value(|faults| {
            let here = faults.iter().filter(|fault| is_at(&fault.path, &path));
            // The label says what it is about, unless the field holds several things.
            let said = |fault: &FieldError| {
                if fault.path == path {
                    words::sentence(&fault.message)
                } else {
                    words::hosted::fault(fault)
                }
            };
            here.map(said).collect::<Vec<_>>()
        });
        let (hint_id, fault_id) = (format!("{id}-hint"), format!("{id}-fault"));
        let tied = Tied {
            id: id.clone(),
            name,
            described: format!("{hint_id} {fault_id}"),
            invalid: (!faults.is_empty()).then_some("true"),
        };
        let faults =
            faults.into_iter().map(|text| view! { <bdi>{quoted(&text)}</bdi> }).collect_view();
        view! {
            <div class="field">
                <label for=id>{label}</label>
                {control(tied)}
                <small id=hint_id class="text-muted">
                    {hint}
                </small>
                <p id=fault_id class="fault">
                    {faults}
                </p>
            </div>
        }
        .into_any()
    }
}
