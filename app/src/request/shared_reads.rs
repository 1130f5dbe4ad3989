//! Values that several parts of a page read: the frame, the page, and its server functions. Each is read once per
//! request.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use contract::id::TenantId;
use futures_util::future::{FutureExt as _, Shared};
use governance::{
    Cx, Error, Governance, Result, SignedIn, UserTenants,
    access::session,
    insight::inbox::{self, Counts},
};
use leptos::prelude::use_context;

/// The shared reads of one request. Every request has its own in its context.
#[derive(Clone, Default)]
pub struct SharedReads(Arc<Mutex<Reads>>);

#[derive(Default)]
struct Reads {
    user_tenants: Option<Read<UserTenants>>,
    counts: Option<(TenantId, Read<Counts>)>,
}

/// A read that all parts wait for. Each of them drives it, so none waits for a part that is no longer polled.
type Read<T> = Shared<Pin<Box<dyn Future<Output = SharedResult<T>> + Send>>>;

type SharedResult<T> = std::result::Result<Arc<T>, Arc<Error>>;

/// Returns the signed-in user with all memberships.
pub(crate) async fn user_tenants(
    governance: &Governance,
    signed_in: &SignedIn,
) -> SharedResult<UserTenants> {
    let (governance, signed_in) = (governance.clone(), *signed_in);
    let read = async move { session::user_tenants(&governance, &signed_in).await };
    let Some(reads) = use_context::<SharedReads>() else { return shared(read).await };
    let read = reads.lock(|reads| reads.user_tenants.get_or_insert_with(|| shared(read)).clone());
    read.await
}

/// Returns the counts of open work for the signed-in user in the tenant of `cx`.
pub(crate) async fn counts(cx: &Cx) -> SharedResult<Counts> {
    let tenant = cx.human().map_err(Arc::new)?.tenant_id;
    let cx = cx.clone();
    let read = async move { inbox::counts(&cx).await };
    let Some(reads) = use_context::<SharedReads>() else { return shared(read).await };
    let read = reads.lock(|reads| match &reads.counts {
        Some((of, read)) if *of == tenant => read.clone(),
        _ => reads.counts.insert((tenant, shared(read))).1.clone(),
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

impl fmt::Debug for SharedReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedReads").finish_non_exhaustive()
    }
}

impl SharedReads {
    fn lock<T>(&self, read: impl FnOnce(&mut Reads) -> T) -> T {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
