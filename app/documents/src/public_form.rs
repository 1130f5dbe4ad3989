//! The public pages of a hosted form: `/f/{form}` and the result of a submission.
//!
//! The server renders them as complete documents, in the language of the form or of the browser. They use neither
//! the router nor the frame of the console.

mod access;
mod document;
mod form;
pub mod number;
mod question;
mod result;
mod texts;

pub use self::{
    access::{AccessPrompt, ErrorPage},
    document::Document,
    form::{FormNotice, FormPage},
    question::{Answers, CHOICE_PREFIX, KEY, PREFIX},
    result::ResultPage,
    texts::Texts,
};
