//! The processes of an engine on Windows: a job.
//!
//! This program puts itself into another job before it starts an engine. Windows ends all processes of that job when
//! this program ends in any way, which is what the guard does on Unix.

use std::cell::Cell;
use std::os::windows::io::AsHandle;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use perft_diagnosis::source::Usage;
use wait4::ResourceUsage;
use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

use crate::system::windows::{JobObject, this_process, usage_of};

/// The job of this program and its engines; `None` where the system does not allow it.
static GUARD: OnceLock<Option<JobObject>> = OnceLock::new();

/// The longest time for which a busy program may wait for a processor.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A program and the processes that it has started.
#[derive(Debug)]
pub(super) struct Group {
    /// `None` where the system does not allow a job. Then only the program itself is ended.
    job: Option<JobObject>,
    /// The processor time when its last increase was noticed, and the time at which it was noticed.
    growth: Cell<(Duration, Instant)>,
}

impl Group {
    /// Makes a program begin a process group of its own when it is started, and end with this program. Ctrl-C does not
    /// reach another process group.
    pub fn prepare(command: &mut Command) {
        GUARD.get_or_init(|| JobObject::new().and_then(|job| job.add(this_process()).map(|()| job)).ok());
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }

    /// Returns the group of a program that was started after [`Group::prepare`].
    pub fn of(child: &Child) -> Group {
        let job = JobObject::new().and_then(|job| job.add(child.as_handle()).map(|()| job)).ok();
        Group { job, growth: Cell::new((Duration::ZERO, Instant::now())) }
    }

    pub fn has_ended(&self, child: &mut Child) -> bool {
        child.try_wait().is_ok_and(|end| end.is_some())
    }

    pub fn kill(&self) {
        self.job.iter().for_each(JobObject::end);
    }

    /// Returns the processor time of the processes so far, also of those that have ended, and whether they have used the
    /// processor within the last second. The time is exact to 16 milliseconds. Windows does not say whether a thread
    /// waits for a processor, and on a busy machine one may wait for some time.
    pub fn activity(&self, child: &Child) -> Option<(Duration, bool)> {
        let now = self.usage(child, None)?.processor_time();
        let (before, at) = self.growth.get();
        if now > before {
            self.growth.set((now, Instant::now()));
        }
        Some((now, now > before || at.elapsed() < LONGEST_WAIT))
    }

    /// Whether the program only waits for input. The system does not say.
    pub fn only_reads(&self) -> bool {
        false
    }

    /// Returns what the program has used. The time is that of all processes of the group, the memory is that of the
    /// program.
    pub fn usage(&self, child: &Child, _: Option<ResourceUsage>) -> Option<Usage> {
        let own = usage_of(child.as_handle())?;
        let (user, system) = self.job.as_ref().and_then(JobObject::times).unwrap_or_default();
        // Wine does not report the times of a job. Asked about another process, Wine 8 reports the times of this
        // program.
        Some(Usage { user: user.max(own.user), system: system.max(own.system), ..own })
    }
}

/// Returns what this process has used so far, or `None` if the system does not say.
pub fn process_usage() -> Option<Usage> {
    usage_of(this_process())
}
