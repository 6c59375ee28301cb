//! Macros for code that all vectors share: operators, and methods that are one expression.

/// Implements logical operators for a vector or a mask with one field. The names before each expression are the fields
/// of the operands.
macro_rules! operators {
    (
        $type:ident:
        not |$field:ident| $complement:expr
        $(, $operator:ident $method:ident |$one:ident, $other:ident| $value:expr)*
    ) => {
        operator!(Not for $type: fn not(self) -> Self {
            let $field = self.0;
            $type($complement)
        });
        $(
            operator!($operator for $type: fn $method(self, other: Self) -> Self {
                let ($one, $other) = (self.0, other.0);
                $type($value)
            });
        )*
    };
}

macro_rules! operator {
    ($operator:ident for $type:ty: $method:item) => {
        impl $operator for $type {
            type Output = Self;

            #[inline(always)]
            $method
        }
    };
}

/// Defines inlined methods, each by one expression.
macro_rules! methods {
    ($($(#[$attribute:meta])* $visibility:vis fn $method:ident($($parameters:tt)*) -> $result:ty = $value:expr;)*) => {
        $(
            $(#[$attribute])*
            #[inline(always)]
            $visibility fn $method($($parameters)*) -> $result {
                $value
            }
        )*
    };
}
