//! Facts: the entries of a description list.

use leptos::prelude::*;

use super::code::{Digest, Id};

pub(crate) fn fact(term: impl IntoView, value: impl IntoView) -> impl IntoView {
    view! {
        <dt>{term}</dt>
        <dd>{value}</dd>
    }
}

pub(crate) fn digest_fact(term: &'static str, digest: String) -> impl IntoView {
    fact(term, view! { <Digest digest what=term /> })
}

pub(crate) fn id_fact(term: &'static str, id: String) -> impl IntoView {
    fact(term, view! { <Id id what=term /> })
}
