//! Macros for what all vectors write alike: operators, and methods that are one instruction.

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

/// Implements one operator.
macro_rules! operator {
    ($operator:ident for $type:ty: $method:item) => {
        impl $operator for $type {
            type Output = Self;

            #[inline(always)]
            $method
        }
    };
}

/// Defines methods of two vectors, each by an intrinsic on their fields. The module has a macro `intrinsics`.
macro_rules! lanewise {
    ($visibility:vis $type:ident: $($method:ident = $intrinsic:ident),*) => {
        $(
            #[inline(always)]
            $visibility fn $method(self, other: $type) -> $type {
                $type(intrinsics!($intrinsic(self.0, other.0)))
            }
        )*
    };
}
