//! Entries of description lists: a term with its value.

use crate::any_view;
use leptos::prelude::*;

use super::code::{Digest, Id, ShortDigest};

pub fn fact(term: impl IntoView, value: impl IntoView) -> AnyView {
    any_view! {
        <dt>{term}</dt>
        <dd>{value}</dd>
    }
}

pub fn digest_fact(term: &'static str, digest: String) -> AnyView {
    fact(term, view! { <Digest digest what=term /> })
}

pub fn id_fact(term: &'static str, id: String) -> AnyView {
    fact(term, view! { <Id id what=term /> })
}

/// An entry with the start and the end of an ID. The button copies the whole ID.
pub fn short_id_fact(term: &'static str, id: String) -> AnyView {
    fact(term, view! { <ShortDigest digest=id what=term /> })
}
