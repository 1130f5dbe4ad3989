//! The editor of drafts: its islands, and the server functions that they call.

pub mod act;
mod editor_state;
mod form;
mod gate;
mod island;
#[cfg(feature = "ssr")]
pub mod load;
mod part;
mod rules;
mod sample_panel;
mod stored_input;
mod unsaved;
pub mod view;
pub mod words;

pub use self::{
    form::RuleForm,
    island::{Editor, EditorActions, RecallNote, Revision, Submission},
    rules::RuleNav,
    sample_panel::SamplePanel,
    unsaved::change_source,
};
