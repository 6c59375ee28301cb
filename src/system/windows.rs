//! Windows calls that no library offers in a safe form: jobs, the resources that processes have used, and the
//! closing of the console.
//!
//! A *job* on Windows is like a process group on Unix: a process and all processes that it starts. [`JobObject`] ends
//! them when it is dropped. If this program ends without dropping it, Windows closes the job, which ends them too. A
//! process can be in several jobs, one inside the other.
//!
//! Two libraries were considered. The jobs of `process-wrap` do not end with this program. `win32job` needs a second
//! copy of the `windows` packages.

use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::time::Duration;

use perft_diagnosis::source::Usage;
use windows_sys::Win32::Foundation::{FALSE, FILETIME, TRUE};
use windows_sys::Win32::System::Console::{
    CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};
use windows_sys::core::BOOL;

/// The unit of the times of Windows.
const TICK: Duration = Duration::from_nanos(100);

/// Processes that end together.
#[derive(Debug)]
pub struct JobObject(OwnedHandle);

impl JobObject {
    /// Makes a job without processes.
    ///
    /// # Errors
    /// Windows refuses the handler.
    pub fn new() -> io::Result<JobObject> {
        // SAFETY: Null stands for the default security and for no name.
        let handle = unsafe { CreateJobObjectW(null(), null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: The call has succeeded, so this is a new handle, and nothing else closes it.
        let job = JobObject(unsafe { OwnedHandle::from_raw_handle(handle) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: The handle is open, and `limits` has the type and the size of this class of information.
        checked(unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        })?;
        Ok(job)
    }

    /// Adds a process. The processes that it starts later belong to the job too.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn add(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        // SAFETY: Both handles are open during the call.
        checked(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    /// Ends all processes of the job. It is not an error if some have ended before.
    pub fn end(&self) {
        const EXIT_CODE: u32 = 1;
        // SAFETY: The handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), EXIT_CODE) };
    }

    /// Returns the user and system time of all processes that have been in the job, or `None` if the system does not
    /// say.
    pub fn times(&self) -> Option<(Duration, Duration)> {
        let mut sums = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: The handle is open, `sums` has the type and the size of this class of information, and the last
        // pointer may be null.
        checked(unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicAccountingInformation,
                (&raw mut sums).cast(),
                size_of_val(&sums) as u32,
                null_mut(),
            )
        })
        .ok()?;
        Some((duration(sums.TotalUserTime.unsigned_abs()), duration(sums.TotalKernelTime.unsigned_abs())))
    }
}

pub fn this_process() -> BorrowedHandle<'static> {
    // SAFETY: This handle always means the process that uses it. It is always open.
    unsafe { BorrowedHandle::borrow_raw(GetCurrentProcess()) }
}

/// Returns what a process has used so far, or `None` if the system does not say. The processes that it has started
/// are not included.
pub fn usage_of(process: BorrowedHandle<'_>) -> Option<Usage> {
    let mut times = [FILETIME::default(); 4];
    let [created, ended, system, user] = &mut times;
    // SAFETY: The handle is open, and the pointers point to four different variables.
    checked(unsafe { GetProcessTimes(process.as_raw_handle(), created, ended, system, user) }).ok()?;
    let [_, _, system, user] =
        times.map(|time| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime));
    let peak_memory_bytes = peak_memory(process.as_raw_handle());
    Some(Usage { user: duration(user), system: duration(system), peak_memory_bytes })
}

fn peak_memory(process: RawHandle) -> Option<u64> {
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let size = size_of_val(&memory) as u32;
    // SAFETY: The handle is open, and `size` is the size of `memory`.
    checked(unsafe { GetProcessMemoryInfo(process, &mut memory, size) }).ok()?;
    Some(memory.PeakWorkingSetSize as u64)
}

/// The function that is called when the console is closed, the user logs off or the system shuts down.
static ON_CLOSE: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Registers a function to call when the console is closed, the user logs off or the system shuts down. Windows then
/// gives the program a few seconds to end by itself.
///
/// # Errors
/// Windows refuses the handler.
pub fn on_close(act: impl Fn() + Send + Sync + 'static) -> io::Result<()> {
    let _ = ON_CLOSE.set(Box::new(act));
    // SAFETY: The handler is a function that may be called at any time, on a thread of its own.
    checked(unsafe { SetConsoleCtrlHandler(Some(handle_console_event), TRUE) })
}

/// Handles the events after which Windows ends the program as soon as the handler returns. So it does not return for
/// them. Other events are left to the next handler.
unsafe extern "system" fn handle_console_event(event: u32) -> BOOL {
    if ![CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT].contains(&event) {
        return FALSE;
    }
    if let Some(act) = ON_CLOSE.get() {
        act();
    }
    loop {
        std::thread::park();
    }
}

fn duration(ticks: u64) -> Duration {
    Duration::from_nanos(ticks.saturating_mul(TICK.as_nanos() as u64))
}

fn checked(is_done: BOOL) -> io::Result<()> {
    if is_done == FALSE { Err(io::Error::last_os_error()) } else { Ok(()) }
}
