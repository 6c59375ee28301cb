//! The CPU paths that this build has, and which of them this CPU can run.

use perft_core::internals::by_name;
use perft_core::internals::sliders::Magic;
use perft_core::{Bmi2Features, LeafCounter};

#[cfg(x86_paths)]
use super::paths::Bmi2;
use super::paths::Portable;
#[cfg(two_lane_paths)]
use super::vector::Paired;
#[cfg(x86_paths)]
use super::vector::{Avx2, Avx512};

/// The CPU features for which the counting code was compiled.
///
/// # Examples
/// ```
/// use perft_leaf::CpuPath;
/// assert!(CpuPath::Portable.is_available());
/// assert!(CpuPath::best().is_available());
/// assert_eq!("bmi2".parse(), Ok(CpuPath::Bmi2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CpuPath {
    /// x86-64 with the AVX-512 extensions of Ice Lake and Zen 4: eight leaf parents at a time.
    Avx512,
    /// x86-64 with AVX2 and BMI2: four leaf parents at a time.
    Avx2,
    /// x86-64 with BMI2. Sliders use `PEXT`.
    Bmi2,
    /// 64-bit ARM with NEON, which all such CPUs have: two leaf parents at a time.
    Neon,
    /// WebAssembly with vectors of 128 bits (`-C target-feature=+simd128`): two leaf parents at a time.
    Simd128,
    /// Every CPU. Sliders use magic multiplication.
    Portable,
}

/// The error of asking for a path that this CPU or this build does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the CPU path '{0}' is not available on this machine or in this build")]
pub struct PathUnavailable(pub CpuPath);

/// The error of parsing a name that no path has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a CPU path")]
pub struct ParseCpuPathError(pub String);

impl CpuPath {
    /// All paths, the fastest first.
    pub const ALL: [CpuPath; 6] =
        [CpuPath::Avx512, CpuPath::Avx2, CpuPath::Bmi2, CpuPath::Neon, CpuPath::Simd128, CpuPath::Portable];

    /// Returns the fastest path that this machine can run.
    pub fn best() -> CpuPath {
        let is_slow = |path: CpuPath| path == CpuPath::Bmi2 && has_slow_pext();
        let fast = |path: &CpuPath| path.is_available() && !is_slow(*path);
        CpuPath::ALL.into_iter().find(fast).unwrap_or(CpuPath::Portable)
    }

    /// Returns the fastest path of this machine that counts one leaf parent at a time.
    pub fn best_scalar() -> CpuPath {
        if CpuPath::Bmi2.is_available() { CpuPath::Bmi2 } else { CpuPath::Portable }
    }

    /// Whether the path counts one leaf parent at a time. The generators of `perft-lab` have no other paths.
    pub const fn is_scalar(self) -> bool {
        matches!(self, CpuPath::Bmi2 | CpuPath::Portable)
    }

    /// Whether this machine and this build have the path.
    pub fn is_available(self) -> bool {
        self.counter().is_some()
    }

    /// Returns the name by which a user chooses the path.
    pub const fn name(self) -> &'static str {
        match self {
            CpuPath::Avx512 => "avx512",
            CpuPath::Avx2 => "avx2",
            CpuPath::Bmi2 => "bmi2",
            CpuPath::Neon => "neon",
            CpuPath::Simd128 => "simd128",
            CpuPath::Portable => "portable",
        }
    }

    /// Returns the proof of BMI2 for scalar code on this path; `None` if the path is portable or the CPU lacks it.
    pub fn bmi2_features(self) -> Option<Bmi2Features> {
        if self == CpuPath::Portable { None } else { Bmi2Features::detect() }
    }

    /// Returns the leaf counter of this path; `None` if this machine cannot run it.
    pub fn counter(self) -> Option<Box<dyn LeafCounter>> {
        match self {
            #[cfg(x86_paths)]
            CpuPath::Avx512 => Some(Box::new(Avx512::detect()?)),
            #[cfg(x86_paths)]
            CpuPath::Avx2 => Some(Box::new(Avx2::detect()?)),
            #[cfg(x86_paths)]
            CpuPath::Bmi2 => Some(Box::new(Bmi2::detect()?)),
            #[cfg(all(two_lane_paths, target_arch = "aarch64"))]
            CpuPath::Neon => Some(Box::new(Paired::PATH)),
            #[cfg(all(two_lane_paths, target_arch = "wasm32"))]
            CpuPath::Simd128 => Some(Box::new(Paired::PATH)),
            CpuPath::Portable => Some(Box::new(Portable { sliders: Magic })),
            _ => None,
        }
    }
}

/// Whether this CPU emulates `PEXT`, which [`CpuPath::Bmi2`] uses for every slider. AMD's CPUs before Zen 3, of family
/// 17h and earlier, take up to 300 cycles for one `PEXT` (Agner Fog, "Instruction tables").
#[cfg(x86_paths)]
fn has_slow_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    // SAFETY: every x86-64 CPU has the instruction CPUID with these leaves. Newer compilers know this and declare it
    // safe.
    #[allow(unused_unsafe)]
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let is_amd = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6e65, 0x444d_4163);
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    is_amd && family < 0x19
}

#[cfg(not(x86_paths))]
fn has_slow_pext() -> bool {
    false
}

by_name!(CpuPath, ParseCpuPathError);
