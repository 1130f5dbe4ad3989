//! Sentences with marked field names and values.

use leptos::prelude::*;

use crate::{
    any_view,
    text::sentence::{Piece, Sentence},
};

/// Renders a sentence. Stored text is isolated, so that its writing direction does not affect the sentence.
pub fn sentence(sentence: Sentence) -> AnyView {
    let piece = |piece| match piece {
        Piece::Words(text) => text.into_any(),
        Piece::Field(text) => any_view! { <bdi class="field-name">{text}</bdi> },
        Piece::Value(text) => any_view! { <bdi class="value">{text}</bdi> },
    };
    sentence.0.into_iter().map(piece).collect_view().into_any()
}
