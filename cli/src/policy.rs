//! `govern policy`: policies as files.

mod args;
pub mod cases;
pub mod diff;
pub mod file;
pub mod junit;
mod pull;
mod push;
mod remote;
pub mod report;
pub mod schema;
mod submit;
pub mod test;

pub use self::args::PolicyCommand;
use crate::exit::{Error, Exit};

pub(crate) async fn run(command: PolicyCommand) -> Result<Exit, Error> {
    match command {
        PolicyCommand::Pull(args) => pull::run(args).await,
        PolicyCommand::Push(args) => push::run(args).await,
        PolicyCommand::Diff(args) => diff::run(args).await,
        PolicyCommand::Test(args) => test::run(&args),
        PolicyCommand::Submit(args) => submit::run(args).await,
    }
}
