//! Checksums: SHA-256, so that `sha256sum` can check the same files.

use sha2::{Digest, Sha256};

/// Digits of the short form: 64 bits, against accidents.
const SHORT: usize = 16;

/// SHA-256 in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first digits of [`sha256`], which is enough for a line.
pub(super) fn short(bytes: &[u8]) -> String {
    sha256(bytes)[..SHORT].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_sha256sum_prints() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(short(b"abc"), "ba7816bf8f01cfea");
    }
}
