//! The functions that JavaScript calls.
//!
//! JavaScript asks for memory ([`allocate`]), writes a question there as UTF-8, and passes it to [`ask`]. The answer is
//! at the returned address and has [`answer_length`] bytes. It stays there until the next question.

use std::cell::RefCell;

thread_local! {
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns memory for a question of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Answers a question and frees its memory. Returns the address of the answer.
///
/// # Safety
/// The memory must come from [`allocate`] with the same length, and must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(question: *mut u8, length: usize) -> *const u8 {
    // SAFETY: By the contract of this function, this is the box that `allocate` made.
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(question, length)) };
    let answer = crate::answer(&String::from_utf8_lossy(&bytes));
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        kept.as_ptr()
    })
}

/// Returns the length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(String::len)
}
