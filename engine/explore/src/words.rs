//! Enums whose values are words in the JSON.

/// Defines an enum in which each value is one word: `as_str` returns it, and JSON contains it.
macro_rules! words {
    (
        $(#[$list:meta])*
        pub enum $name:ident {
            $($(#[$entry:meta])* $value:ident = $word:literal,)+
        }
    ) => {
        $(#[$list])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $($(#[$entry])* #[serde(rename = $word)] $value,)+
        }

        impl $name {
            /// All values, in order.
            pub const ALL: &[Self] = &[$(Self::$value,)+];

            /// The word in JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }
    };
}

pub(crate) use words;
