//! The examples of the documents as documentation tests: see `build.rs`.

include!(concat!(env!("OUT_DIR"), "/documents.rs"));
