//! Entries of description lists: a term with its value.

use crate::any_view;
use leptos::prelude::*;

use super::code::{digest_code, id_code, short_digest};

pub fn fact(term: impl IntoView, value: impl IntoView) -> AnyView {
    any_view! {
        <dt>{term}</dt>
        <dd>{value}</dd>
    }
}

pub fn digest_fact(term: &'static str, digest: String) -> AnyView {
    fact(term, digest_code(digest, term))
}

pub fn id_fact(term: &'static str, id: String) -> AnyView {
    fact(term, id_code(id, term))
}

/// An entry with the start and the end of an ID. The button copies the whole ID.
pub fn short_id_fact(term: &'static str, id: String) -> AnyView {
    fact(term, short_digest(id, term))
}
