//! What the pages show, as plain structs: made on the server, carried to the browser, tested without
//! either.

pub mod acts;
pub mod decision;
pub mod form;
pub mod frame;
pub mod kept;
pub mod outcome;
pub mod overview;
pub mod people;
pub mod policy;
pub mod query;
pub mod receipt;
pub mod tried;
pub mod version;
