//! Checksums: SHA-256, so that `sha256sum` can check the same files.

use sha2::{Digest, Sha256};

/// The number of digits of a short checksum. These 64 bits detect accidental changes.
const SHORT_LENGTH: usize = 16;

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn short(bytes: &[u8]) -> String {
    sha256(bytes)[..SHORT_LENGTH].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(short(b"abc"), "ba7816bf8f01cfea");
    }
}
