//! Starting this program again, in the same process, when foreign code in it crashes or hangs.
//!
//! `exec` replaces the whole process whatever state it is in, so a handler of fatal signals may call
//! it. This costs nothing until it is needed; a separate watching process cost three to six
//! milliseconds when it was measured (`docs/decisions/0005-parser-crashes.md`).

use std::{
    ffi::{CString, c_char, c_int},
    io,
    os::unix::ffi::OsStringExt,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
};

/// Signals by which the kernel, or C's `abort`, ends a process that went wrong.
const FATAL: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];
/// Longest text of one finding: 16 digits, a colon, 3 digits, a semicolon.
const FINDING: usize = 21;
/// Most findings of one start of the program.
const FINDINGS: usize = 64;
/// After this many seconds a process that mostly waits is checked as well.
const IDLE_SECONDS: u32 = 10;
/// Largest number in a finding.
const LARGEST: u32 = 999;

/// What a judge has to decide about.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// This thread got this fatal signal.
    Crash(u32),
    /// The process has used about a second of processor time since the last tick, or ten seconds have
    /// passed. Counting processor time keeps a busy machine from looking like a parser that hangs.
    Tick,
}

/// What went wrong, as it is passed to the next start of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The file at fault.
    pub file: u64,
    /// What it did; the judge decides what the numbers below 1000 mean.
    pub what: u32,
}

/// The findings of one event. At most 64 are kept.
#[derive(Debug)]
pub struct Findings {
    found: [Finding; FINDINGS],
    count: usize,
}

impl Findings {
    const fn new() -> Self {
        Self { found: [Finding { file: 0, what: 0 }; FINDINGS], count: 0 }
    }

    /// Adds one.
    pub const fn add(&mut self, file: u64, what: u32) {
        if self.count < FINDINGS {
            self.found[self.count] = Finding { file, what };
            self.count += 1;
        }
    }
}

/// Decides in a signal handler whether the program is to be started again, by adding findings.
///
/// It may read and write atomics, and must not allocate, lock or open files.
pub type Judge = fn(Event, &mut Findings);

/// How this program is started again.
pub struct Restart {
    /// The environment variable that carries the findings, each as `<file in hexadecimal>:<what>;`.
    pub variable: &'static str,
    /// The findings so far.
    pub findings: String,
    /// Another environment variable that the next start gets, with its value.
    pub more: Option<(&'static str, String)>,
    /// False if another finding must end the program.
    pub may_restart: bool,
    /// The function that decides.
    pub judge: Judge,
}

/// Everything that the handler needs, made before it can be called.
struct Plan {
    program: CString,
    /// Pointers into strings that are never freed; the last is null.
    arguments: Box<[*const c_char]>,
    environment: Box<[*const c_char]>,
    /// The variable with its findings, with space for those of one start and for the final zero.
    note: &'static [AtomicU8],
    used: AtomicUsize,
    may_restart: bool,
    judge: Judge,
}

// SAFETY: the pointers lead to strings that are never changed or freed.
#[allow(unsafe_code, reason = "raw pointers are what exec takes")]
unsafe impl Send for Plan {}
// SAFETY: as above; all that changes is atomic.
#[allow(unsafe_code, reason = "raw pointers are what exec takes")]
unsafe impl Sync for Plan {}

static PLAN: OnceLock<Plan> = OnceLock::new();
static RESTARTING: AtomicBool = AtomicBool::new(false);

/// Watches this process from now on. Only the first call has an effect.
///
/// # Errors
/// The program's own path cannot be found, or a signal handler cannot be set.
#[allow(unsafe_code, reason = "signal handlers are the system's")]
pub fn arm(restart: &Restart) -> io::Result<()> {
    if PLAN.set(Plan::of(restart)?).is_err() {
        return Ok(());
    }
    for signal in FATAL.into_iter().chain([libc::SIGALRM]) {
        // SAFETY: the action is fully set, and the handler does only what a handler may do. The
        // alternative stacks are the standard library's, which gives one to each thread.
        let set = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut())
        };
        if set != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    // SAFETY: setting a timer touches no memory.
    unsafe { libc::alarm(1) };
    Ok(())
}

impl Plan {
    fn of(restart: &Restart) -> io::Result<Self> {
        let text = |bytes: Vec<u8>| CString::new(bytes).map_err(io::Error::other);
        let program = text(std::env::current_exe()?.into_os_string().into_vec())?;
        let leaked = |bytes: Vec<u8>| Ok::<_, io::Error>(text(bytes)?.into_raw().cast_const());
        let mut arguments = std::env::args_os()
            .map(|argument| leaked(argument.into_vec()))
            .collect::<Result<Vec<_>, _>>()?;
        arguments.push(std::ptr::null());
        let note = format!("{}={}", restart.variable, restart.findings);
        let words =
            note.bytes().chain(std::iter::repeat_n(0, FINDINGS * FINDING + 1)).map(AtomicU8::new);
        let words: &'static [AtomicU8] = Box::leak(words.collect());
        let mut environment = std::env::vars_os()
            .filter(|(name, _)| {
                name != restart.variable
                    && restart.more.as_ref().is_none_or(|(more, _)| name != more)
            })
            .chain(restart.more.iter().map(|(name, value)| ((*name).into(), value.into())))
            .map(|(name, value)| leaked([name.into_vec(), value.into_vec()].join(&b'=')))
            .collect::<Result<Vec<_>, _>>()?;
        environment.extend([words.as_ptr().cast::<c_char>(), std::ptr::null()]);
        Ok(Self {
            program,
            arguments: arguments.into_boxed_slice(),
            environment: environment.into_boxed_slice(),
            note: words,
            used: AtomicUsize::new(note.len()),
            may_restart: restart.may_restart,
            judge: restart.judge,
        })
    }

    /// Appends a finding to the note.
    fn add(&self, Finding { file, what }: Finding) {
        let what = what.min(LARGEST);
        let push = |byte: u8| {
            if let Some(word) = self.note.get(self.used.fetch_add(1, Ordering::Relaxed)) {
                word.store(byte, Ordering::Relaxed);
            }
        };
        for place in (0..16).rev() {
            push(b"0123456789abcdef"[(file >> (4 * place) & 15) as usize]);
        }
        push(b':');
        for power in [100, 10, 1] {
            push(b'0' + (what / power % 10) as u8);
        }
        push(b';');
    }
}

/// Called once a second; returns whether it is time for a tick.
#[allow(unsafe_code, reason = "only the system knows what a process has used of its processors")]
fn is_time_for_a_look() -> bool {
    static USED: AtomicU64 = AtomicU64::new(0);
    static WAITED: AtomicU32 = AtomicU32::new(0);
    // SAFETY: the call fills in the structure, and may be made in a handler.
    let used = unsafe {
        let mut used: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut used);
        used.tv_sec.unsigned_abs() * 1000 + used.tv_nsec.unsigned_abs() / 1_000_000
    };
    let before = USED.load(Ordering::Relaxed);
    // A busy process on an idle machine uses a little less than a second of processor time per second.
    let is_time =
        used >= before + 900 || WAITED.fetch_add(1, Ordering::Relaxed) + 1 >= IDLE_SECONDS;
    if is_time {
        USED.store(used, Ordering::Relaxed);
        WAITED.store(0, Ordering::Relaxed);
    }
    is_time
}

/// The signal handler. It calls only functions that POSIX allows in handlers, and uses plain atomics.
#[allow(unsafe_code, reason = "what ends or replaces a process is the system's")]
extern "C" fn on_signal(signal: c_int) {
    let Some(plan) = PLAN.get() else { return };
    let is_tick = signal == libc::SIGALRM;
    let mut findings = Findings::new();
    if !is_tick {
        (plan.judge)(Event::Crash(signal.unsigned_abs()), &mut findings);
    } else if is_time_for_a_look() {
        (plan.judge)(Event::Tick, &mut findings);
    }
    match findings.count {
        1.. if plan.may_restart => {
            if RESTARTING.swap(true, Ordering::Relaxed) {
                // Another thread is about to replace the process, and this thread with it.
                loop {
                    // SAFETY: waiting touches no memory.
                    unsafe { libc::pause() };
                }
            }
            findings.found.iter().take(findings.count).for_each(|finding| plan.add(*finding));
            // SAFETY: the new program gets null-terminated lists of zero-terminated strings,
            // all made before and never freed. Signals that are blocked here would stay blocked
            // in it, and the timer would go on.
            unsafe {
                libc::alarm(0);
                let mut none: libc::sigset_t = std::mem::zeroed();
                libc::sigemptyset(&raw mut none);
                libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
                libc::execve(
                    plan.program.as_ptr(),
                    plan.arguments.as_ptr(),
                    plan.environment.as_ptr(),
                );
                libc::_exit(1);
            }
        }
        // SAFETY: as above. A thread that hung in every start so far is not waited for.
        1.. if is_tick => unsafe {
            const WHY: &[u8] = b"error: too many files have ended or stopped their parsers\n";
            libc::write(libc::STDERR_FILENO, WHY.as_ptr().cast(), WHY.len());
            libc::_exit(c_int::from(record::exit::INTERNAL));
        },
        // SAFETY: as above.
        _ if is_tick => unsafe {
            libc::alarm(1);
        },
        // SAFETY: the default action of the signal ends the process as soon as it is unblocked.
        _ => unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        },
    }
}
