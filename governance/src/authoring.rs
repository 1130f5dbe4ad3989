//! Policies on their way to being active: drafts, reviews, ratification, groups, capabilities and settings.
//!
//! A policy has versions, and a version has a status: `draft`, `submitted`, `ratified`, or closed as
//! `replaced` or `set_aside`. Only a draft can be edited, under optimistic locking by its revision.
//! `policy::lifecycle` is the one table of transitions: which status permits which, and the reason of the
//! refusal. Each transition locks the row of the policy, checks, changes and adds its audit event in one
//! transaction (`policy::version::transition`).
//!
//! 1. An author edits a draft, alone or through an agent with a capability. Rules may come from clauses
//!    (`codification`).
//! 2. A review submission seals one revision: an immutable copy that is signed. A reviewer accepts it or
//!    requests changes, and the next submission must reference the requested changes.
//! 3. The author submits the version, and an independent person ratifies it. The approval is signed.
//! 4. An author activates it. The policy now counts in the next snapshot; the previous version is inactive.
//!
//! - Nobody who helped to make a version ratifies it, unless the tenant turns maker-checker off. Makers
//!   include those who issued a capability for it. A version whose maker is unknown is never ratified.
//! - What was sealed, reviewed or approved never changes, and rules do not change after submission.
//! - A ratification is for the revision that the person has read.
//! - A capability names one version, actions and a number of uses. Each use is counted in the transaction of
//!   what it permits. A capability that was carried over to the next version is part of a lineage: it acts
//!   only while no grant of the lineage is revoked, expired or used up.
//! - The rules that are active together have a limit, so that an evaluation can load them.
//!
//! `settings` change what the steps require, and only a person changes them.

pub mod capability;
pub mod group;
pub mod identity_provider;
pub mod policy;
pub mod sample;
pub mod settings;
