//! Generic functions that are compiled once. An optimised build shares no generic code between crates: whoever calls a
//! generic function compiles it, and everything below it, again. [`per_scalar!`](macro@crate::per_scalar) cuts that
//! off.

/// A generic function that is compiled where it stands, once for each of the four scalars; whoever calls it compiles a
/// jump through a table. Write it for what is large and called from other crates, never for what stands in an inner
/// loop.
///
/// ```
/// # use galerkit_linalg::{Scalar, per_scalar};
/// per_scalar! {
///     /// The sum of some numbers.
///     pub fn sum<S>(values: &[S]) -> S = sum_of;
/// }
///
/// fn sum_of<S: Scalar>(values: &[S]) -> S {
///     values.iter().copied().sum()
/// }
///
/// assert_eq!(sum(&[1.0, 2.0]), 3.0);
/// ```
#[macro_export]
macro_rules! per_scalar {
    (@direct $(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident<$($life:lifetime,)* $S:ident>($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $body:path;
    )+) => {$(
        $(#[$attribute])*
        #[allow(clippy::too_many_arguments)]
        $visibility fn $name<$($life,)* $S: $crate::Scalar>($($argument: $type),*) $(-> $result)? {
            $body($($argument),*)
        }
    )+};
    ($($functions:tt)+) => {
        #[cfg(not(test))]
        $crate::table_per_scalar! { $($functions)+ }
        // The unit tests of a crate use few of its functions with few scalars: tables would compile all for all once
        // more.
        #[cfg(test)]
        $crate::per_scalar! { @direct $($functions)+ }
    };
}

/// The same for bodies that can be compiled for the four scalars only, not for any `S: Scalar`: unit tests have the
/// table too.
#[macro_export]
macro_rules! table_per_scalar {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident<$($life:lifetime,)* $S:ident>($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $body:path;
    )+) => {$(
        $(#[$attribute])*
        #[allow(clippy::too_many_arguments)]
        $visibility fn $name<$($life,)* $S: $crate::Scalar>($($argument: $type),*) $(-> $result)? {
            let found: &dyn ::std::any::Any = match <$S as $crate::Scalar>::KIND {
                $crate::scalar::ScalarKind::F32 => $crate::table_per_scalar!(@instance f32; ($($life),*) $S ($($argument: $type),*) ($(-> $result)?) $body),
                $crate::scalar::ScalarKind::F64 => $crate::table_per_scalar!(@instance f64; ($($life),*) $S ($($argument: $type),*) ($(-> $result)?) $body),
                $crate::scalar::ScalarKind::C32 => $crate::table_per_scalar!(@instance $crate::c32; ($($life),*) $S ($($argument: $type),*) ($(-> $result)?) $body),
                $crate::scalar::ScalarKind::C64 => $crate::table_per_scalar!(@instance $crate::c64; ($($life),*) $S ($($argument: $type),*) ($(-> $result)?) $body),
            };
            type Function<$S> = for<$($life),*> fn($($type),*) $(-> $result)?;
            let function: &Function<$S> = found.downcast_ref().expect("each kind is one scalar");
            function($($argument),*)
        }
    )+};
    (@instance $scalar:ty; ($($life:lifetime),*) $S:ident ($($argument:ident: $type:ty),*) ($(-> $result:ty)?) $body:path) => {{
        type $S = $scalar;
        #[inline(never)]
        #[allow(clippy::too_many_arguments)]
        fn instance<$($life),*>($($argument: $type),*) $(-> $result)? {
            $body($($argument),*)
        }
        static INSTANCE: for<$($life),*> fn($($type),*) $(-> $result)? = instance;
        &INSTANCE
    }};
}

pub(crate) use per_scalar;
