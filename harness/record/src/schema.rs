//! The version of a format on disk.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Version `N` of a format: written as that number, and no other number is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Schema<const N: u32>;

/// Version `N` of a format: written as that number, and read from version `OLDEST` on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SchemaSince<const OLDEST: u32, const N: u32>;

impl<const OLDEST: u32, const N: u32> Serialize for SchemaSince<OLDEST, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        N.serialize(serializer)
    }
}

impl<'de, const OLDEST: u32, const N: u32> Deserialize<'de> for SchemaSince<OLDEST, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            found if (OLDEST..=N).contains(&found) => Ok(Self),
            found => Err(D::Error::custom(format_args!(
                "its schema_version is {found}, this program reads {OLDEST} to {N}"
            ))),
        }
    }
}

impl<const N: u32> Serialize for Schema<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        N.serialize(serializer)
    }
}

impl<'de, const N: u32> Deserialize<'de> for Schema<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            found if found == N => Ok(Self),
            found => Err(D::Error::custom(format_args!(
                "its schema_version is {found}, this program reads {N}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Schema, SchemaSince};

    #[test]
    fn one_number_is_written_and_read() {
        assert_eq!(serde_json::to_string(&Schema::<3>).unwrap(), "3");
        assert!(serde_json::from_str::<Schema<3>>("3").is_ok());
        for other in ["2", "4", "\"3\"", "null"] {
            assert!(serde_json::from_str::<Schema<3>>(other).is_err(), "{other}");
        }
    }

    #[test]
    fn the_newest_is_written_and_older_ones_are_read() {
        assert_eq!(serde_json::to_string(&SchemaSince::<2, 3>).unwrap(), "3");
        for (number, read) in [("1", false), ("2", true), ("3", true), ("4", false)] {
            assert_eq!(serde_json::from_str::<SchemaSince<2, 3>>(number).is_ok(), read);
        }
    }
}
