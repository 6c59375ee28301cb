//! The CPU features of the scalar code for x86-64 that is not portable.

/// Proves that this CPU has BMI2 and the features that came with it (2013 and later): AVX2, BMI1, LZCNT and POPCNT.
///
/// A function that is compiled for these features may be called where a value of this type exists.
#[derive(Clone, Copy, Debug)]
pub struct Bmi2Features(());

impl Bmi2Features {
    /// Returns the proof if this CPU has all the features and this build uses them.
    pub fn detect() -> Option<Bmi2Features> {
        #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
        let has_all = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        #[cfg(not(all(target_arch = "x86_64", not(perft_portable))))]
        let has_all = false;
        has_all.then_some(Bmi2Features(()))
    }
}
