//! Where the nodes of a cluster are.

use std::{fmt, num::NonZeroUsize, str::FromStr};

/// The most nodes that are started on this machine.
const MOST_LOCAL: usize = 64;

/// Where units are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// On a cluster that is running, by its address `ray://HOST:PORT`.
    Ray(String),
    /// On so many nodes with one processor each, which are started on this machine.
    Local(NonZeroUsize),
}

/// A text is no address of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no cluster; write ray://HOST:PORT, or local:N for N nodes on this machine (1 to {MOST_LOCAL})"
)]
pub struct AddressError(String);

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(text.to_owned());
        if let Some(count) = text.strip_prefix("local:") {
            let count = count.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_LOCAL);
            return count.map(Self::Local).ok_or_else(wrong);
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
            Self::Local(nodes) => write!(to, "local:{nodes}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn addresses_are_read_back_and_others_are_refused() {
        for text in ["local:1", "local:64", "ray://host:10001", "ray://[::1]:1"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "local",
            "local:0",
            "local:65",
            "local:x",
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
