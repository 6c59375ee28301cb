//! Enums whose variants have a name and a description. The names are made from those of the variants when the crate is
//! compiled, so that a table of variants needs no column for them.

/// Defines an enum from a table of its variants, each with a description. The description is also the documentation of
/// the variant. The name of a variant is its identifier in kebab case.
macro_rules! named_enum {
    ($(#[$attribute:meta])* pub enum $enum:ident { $($(#[$more:meta])* $variant:ident: $about:literal,)* }) => {
        $(#[$attribute])*
        pub enum $enum {
            $(#[doc = concat!($about, ".")] $(#[$more])* $variant,)*
        }

        impl $enum {
            /// All variants.
            pub const ALL: &[$enum] = &[$($enum::$variant,)*];

            /// Returns the name in kebab case. It stays the same in every version.
            pub const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $crate::named_enum::kebab_case!($variant),)*
                }
            }

            /// Returns the meaning in one sentence, without a full stop.
            pub const fn about(self) -> &'static str {
                match self {
                    $($enum::$variant => $about,)*
                }
            }
        }
    };
}

/// Returns the name of an enum variant in kebab case, as a constant: `castling-twice` for `CastlingTwice`.
macro_rules! kebab_case {
    ($variant:ident) => {
        const {
            const BYTES: [u8; crate::named_enum::length(stringify!($variant))] =
                crate::named_enum::bytes(stringify!($variant));
            match std::str::from_utf8(&BYTES) {
                Ok(name) => name,
                Err(_) => panic!("the name of a variant has only ASCII letters"),
            }
        }
    };
}

pub(crate) use {kebab_case, named_enum};

/// Returns the number of bytes of a name in kebab case.
pub(crate) const fn length(variant: &str) -> usize {
    let mut length = variant.len();
    let mut at = 1;
    while at < variant.len() {
        length += variant.as_bytes()[at].is_ascii_uppercase() as usize;
        at += 1;
    }
    length
}

/// Returns the bytes of a name in kebab case. `LENGTH` is its [`length`].
pub(crate) const fn bytes<const LENGTH: usize>(variant: &str) -> [u8; LENGTH] {
    let mut bytes = [b'-'; LENGTH];
    let (mut from, mut to) = (0, 0);
    while from < variant.len() {
        let letter = variant.as_bytes()[from];
        if from > 0 && letter.is_ascii_uppercase() {
            to += 1;
        }
        bytes[to] = letter.to_ascii_lowercase();
        from += 1;
        to += 1;
    }
    bytes
}
