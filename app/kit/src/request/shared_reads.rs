//! Values that several parts of a page read: the frame, the page, and its server functions. Each is read once per
//! request.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use contract::id::{PolicyId, TenantId};
use futures_util::future::{FutureExt as _, Shared};
use governance::{
    Cx, Error, Governance, Result, SignedIn, UserTenants,
    access::{
        member::{self, Directory},
        session,
    },
    authoring::policy::version::{self, VersionDetails},
    insight::inbox::{self, Counts},
};
use leptos::prelude::use_context;

use super::to_problem;
use crate::problem::Problem;

/// The shared reads of one request. Every request has its own in its context.
#[derive(Clone, derive_more::Debug, Default)]
#[debug("SharedReads {{ .. }}")]
pub struct SharedReads(Arc<Mutex<Reads>>);

#[derive(Default)]
struct Reads {
    user_tenants: Slot<(), UserTenants>,
    counts: Slot<TenantId, Counts>,
    directory: Slot<TenantId, Directory>,
    version: Slot<VersionAddress, VersionDetails>,
}

/// The last read of a kind, with what it is of.
type Slot<K, T> = Option<(K, Read<T>)>;

type VersionAddress = (TenantId, PolicyId, u32);

/// A read that all parts wait for. Each of them drives it, so none waits for a part that is no longer polled.
type Read<T> = Shared<Pin<Box<dyn Future<Output = SharedResult<T>> + Send>>>;

type SharedResult<T> = std::result::Result<Arc<T>, Arc<Error>>;

/// Returns the signed-in user with all memberships.
pub async fn user_tenants(
    governance: &Governance,
    signed_in: &SignedIn,
) -> SharedResult<UserTenants> {
    let (governance, signed_in) = (governance.clone(), *signed_in);
    let read = async move { session::user_tenants(&governance, &signed_in).await };
    once(|reads| &mut reads.user_tenants, (), read).await
}

/// Returns the counts of open work for the signed-in user in the tenant of `cx`.
pub async fn counts(cx: &Cx) -> SharedResult<Counts> {
    let tenant = cx.human().map_err(Arc::new)?.tenant_id;
    let cx = cx.clone();
    once(|reads| &mut reads.counts, tenant, async move { inbox::counts(&cx).await }).await
}

/// Returns the names of the users and keys of the tenant of `cx`.
pub async fn directory(cx: &Cx) -> std::result::Result<Arc<Directory>, Problem> {
    let tenant = cx.human()?.tenant_id;
    let cx = cx.clone();
    let read = async move { member::directory(&cx).await };
    once(|reads| &mut reads.directory, tenant, read).await.map_err(|error| to_problem(&error))
}

/// Returns one version with its details, as it was when the request first read it.
pub async fn version(
    cx: &Cx,
    id: PolicyId,
    number: u32,
) -> std::result::Result<Arc<VersionDetails>, Problem> {
    let key = (cx.human()?.tenant_id, id, number);
    let cx = cx.clone();
    let read = async move { version::details(&cx, id, number).await };
    once(|reads| &mut reads.version, key, read).await.map_err(|error| to_problem(&error))
}

/// Reads `key`, unless the request has read it.
async fn once<K: PartialEq, T: Send + Sync + 'static>(
    slot: impl FnOnce(&mut Reads) -> &mut Slot<K, T>,
    key: K,
    read: impl Future<Output = Result<T>> + Send + 'static,
) -> SharedResult<T> {
    let Some(reads) = use_context::<SharedReads>() else { return shared(read).await };
    let read = reads.lock(|reads| {
        let slot = slot(reads);
        match &*slot {
            Some((of, read)) if *of == key => read.clone(),
            _ => slot.insert((key, shared(read))).1.clone(),
        }
    });
    read.await
}

fn shared<T: Send + Sync + 'static>(
    read: impl Future<Output = Result<T>> + Send + 'static,
) -> Read<T> {
    let read: Pin<Box<dyn Future<Output = SharedResult<T>> + Send>> =
        Box::pin(async move { read.await.map(Arc::new).map_err(Arc::new) });
    read.shared()
}

impl SharedReads {
    fn lock<T>(&self, read: impl FnOnce(&mut Reads) -> T) -> T {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
