//! The laboratory: the move generators and slider look-ups of the literature, side by side.
//!
//! - [`generators`]: one design each, behind the trait [`Board`](generators::Board)
//! - [`sliders`]: slider look-ups, behind the trait [`Sliders`](sliders::Sliders)
//!
//! [`Generator::drive`](generators::Generator::drive) and [`SliderMethod::drive`](sliders::SliderMethod::drive) put either
//! into a [`Perft`](perft_core::Perft) driver, which counts with it on one thread or many.

pub mod generators;
pub mod sliders;
mod tree;
