//! Says once which builds have the vector paths: x86-64, unless the portable code is asked for by `--cfg perft_portable`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(vector_paths)");
    let is_x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let is_portable = std::env::var("CARGO_CFG_PERFT_PORTABLE").is_ok();
    if is_x86_64 && !is_portable {
        println!("cargo::rustc-cfg=vector_paths");
    }
}
