//! The service from outside: over real connections, against a database of each test's own.

mod api_keys;
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
mod operator;
mod policies;
mod routes;
mod routes_covered;
mod sessions;
mod settings;
mod tidy;
mod versions;
mod world;
mod wrong_callers;
