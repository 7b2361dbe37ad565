//! Runs on a cluster: units are sent to Ray, and their answers are taken in here.
//!
//! Plans, gates and the check of every answer stay in this process. `cluster/ray/driver.py` submits units and
//! passes answers on; docs/cluster.md describes both.

mod address;
mod driver;
mod event;
mod fleet;

pub use address::{Address, AddressError};
pub use driver::Driver;
pub use event::Event;
pub use fleet::{ClusterError, Fleet, may_be_sent};
