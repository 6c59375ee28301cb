//! Enums whose variants have a name and a description. The names are made from those of the variants, so that a table
//! of variants needs no column for them.

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
            pub fn name(self) -> &'static str {
                static NAMES: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| {
                    [$(stringify!($variant)),*].map($crate::named_enum::kebab_case).to_vec()
                });
                &NAMES[self as usize]
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

pub(crate) use named_enum;

/// Returns the name of an enum variant in kebab case: `castling-twice` for `CastlingTwice`.
pub(crate) fn kebab_case(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
