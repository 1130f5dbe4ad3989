//! Entries of description lists: a term with its value.

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::code::ShortDigest;
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

/// An entry with the start and the end of an ID. The button copies the whole ID.
#[cfg(feature = "ssr")]
pub(crate) fn short_id_fact(term: &'static str, id: String) -> impl IntoView {
    fact(term, view! { <ShortDigest digest=id what=term /> })
}
