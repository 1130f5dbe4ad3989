//! The service from outside: over real connections, against a database of each test's own.

mod audit_log;
mod bad_inputs;
mod catalogue;
mod client;
mod console_callers;
mod decisions;
mod edge;
mod exactly_once;
mod groups;
mod journey;
mod lifecycle;
mod mutating_routes;
mod policies;
mod routes;
mod routes_covered;
mod sessions;
mod tidy;
mod versions;
mod world;
mod wrong_callers;
