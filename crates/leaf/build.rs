//! Sets the configuration flags that say which CPU paths a build has.
//!
//! - `x86_paths`: the paths for x86-64, one of which is chosen at run time.
//! - `two_lane_paths`: the path for vectors of 128 bits. Every 64-bit ARM CPU has them. WebAssembly has them if the
//!   build enables them (`-C target-feature=+simd128`).
//! - `vector_paths`: at least one of the two above.
//!
//! `--cfg perft_portable` asks for a build without these paths. An unoptimised build has none of them either. In such a
//! build, they keep every vector on the stack and need more stack than a test thread has (2 MiB). They are also slower
//! than the scalar paths, and take most of the compile time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["x86_paths", "two_lane_paths", "vector_paths"] {
        println!("cargo::rustc-check-cfg=cfg({name})");
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    println!("cargo::rustc-env=PERFT_LEAF_OPT_LEVEL={}", variable("OPT_LEVEL"));
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
