//! Where the nodes of a cluster are.

use std::{fmt, num::NonZeroUsize, str::FromStr, thread};

/// The most nodes that are started on this machine, and the most processors of each.
const MOST: usize = 64;

/// Where units are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// On a cluster that is running, by its address `ray://HOST:PORT`.
    Ray(String),
    /// On nodes that are started on this machine.
    Local(LocalNodes),
}

/// Nodes that are started on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalNodes {
    /// How many.
    pub count: NonZeroUsize,
    /// The processors of each; if absent, those of this machine are shared out.
    pub cpus: Option<NonZeroUsize>,
}

impl LocalNodes {
    /// The processors of each node, at least one.
    pub fn cpus(self) -> NonZeroUsize {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN).get();
        let shared = || NonZeroUsize::new(all() / self.count).unwrap_or(NonZeroUsize::MIN);
        self.cpus.unwrap_or_else(shared)
    }
}

/// A text is no address of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no cluster; write ray://HOST:PORT, local:N for N nodes on this machine, or local:NxC for N nodes with C \
     processors each (both from 1 to {MOST})"
)]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(text.to_owned());
        if let Some(count) = text.strip_prefix("local:") {
            let number =
                |text: &str| text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST);
            let (count, cpus) = match count.split_once('x') {
                Some((count, cpus)) => (count, Some(number(cpus).ok_or_else(wrong)?)),
                None => (count, None),
            };
            let count = number(count).ok_or_else(wrong)?;
            return Ok(Self::Local(LocalNodes { count, cpus }));
        }
        let place = text.strip_prefix("ray://").and_then(|place| place.rsplit_once(':'));
        let is_place = place.is_some_and(|(host, port)| {
            let is_host = !host.is_empty() && !host.contains(['/', ' ', '@']);
            is_host && port.parse::<u16>().is_ok_and(|port| port > 0)
        });
        if is_place { Ok(Self::Ray(text.to_owned())) } else { Err(wrong()) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ray(address) => to.write_str(address),
            Self::Local(LocalNodes { count, cpus: None }) => write!(to, "local:{count}"),
            Self::Local(LocalNodes { count, cpus: Some(cpus) }) => {
                write!(to, "local:{count}x{cpus}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, LocalNodes};

    #[test]
    fn nodes_share_the_processors_of_the_machine() {
        let cpus = |text: &str| match text.parse() {
            Ok(Address::Local(nodes)) => LocalNodes::cpus(nodes).get(),
            other => panic!("{text}: {other:?}"),
        };
        let all = std::thread::available_parallelism().unwrap().get();
        assert_eq!((cpus("local:1"), cpus("local:64x3")), (all, 3));
        assert!(cpus("local:2") <= all.div_ceil(2) && cpus("local:64") >= 1);
    }

    #[test]
    fn addresses_are_read_back_and_others_are_refused() {
        for text in ["local:1", "local:64", "local:2x1", "ray://host:10001", "ray://[::1]:1"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "local",
            "local:0",
            "local:65",
            "local:x",
            "local:1x",
            "local:x1",
            "local:1x0",
            "local:1x65",
            "ray://",
            "ray://host",
            "ray://:1",
            "ray://host:0",
            "ray://host:x",
            "ray://me@host:1",
            "host:1",
            "ray://a b:1",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
