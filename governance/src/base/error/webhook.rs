//! Refusals of webhook operations (specification, "States and transitions").

refusals! {
    already_delivered() = AlreadyDelivered, "this delivery already succeeded";
    /// For a delivery that the worker has not attempted yet.
    still_pending() = StillPending, "this delivery has not been attempted yet";
}
