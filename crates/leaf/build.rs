//! Says once which CPU paths a build has.
//!
//! - `x86_paths`: the paths for x86-64, which are chosen when the program runs.
//! - `two_lane_paths`: the path for vectors of 128 bits. Every 64-bit ARM CPU has them, and WebAssembly has them where
//!   the build says so (`-C target-feature=+simd128`).
//! - `vector_paths`: one of the two.
//!
//! `--cfg perft_portable` asks for a build that has none of them. An unoptimised build has none of them either: there,
//! their functions keep every vector on the stack and need more of it than a thread of a test has (2 MiB), are slower
//! than the scalar paths, and take most of the time to compile.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["x86_paths", "two_lane_paths", "vector_paths"] {
        println!("cargo::rustc-check-cfg=cfg({name})");
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if std::env::var("CARGO_CFG_PERFT_PORTABLE").is_ok() || variable("OPT_LEVEL") == "0" {
        return;
    }
    let has_feature = |name| variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == name);
    let paths = match variable("CARGO_CFG_TARGET_ARCH").as_str() {
        "x86_64" => "x86_paths",
        "aarch64" if has_feature("neon") && variable("CARGO_CFG_TARGET_ENDIAN") == "little" => {
            "two_lane_paths"
        }
        "wasm32" if has_feature("simd128") => "two_lane_paths",
        _ => return,
    };
    println!("cargo::rustc-cfg={paths}");
    println!("cargo::rustc-cfg=vector_paths");
}
