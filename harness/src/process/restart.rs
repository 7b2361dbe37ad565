//! Starting this program again, in the same process, when foreign code in it crashes or hangs.
//!
//! The kernel replaces a process as a whole, whatever state it is in, so a handler of fatal
//! signals may do it. It costs nothing until it happens; a separate watching process
//! was measured at three to six milliseconds (`docs/decisions/0005-parser-crashes.md`).

use std::{
    ffi::{CString, c_char, c_int},
    io,
    os::unix::ffi::OsStringExt,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering},
    },
};

/// Signals by which the kernel, or C's `abort`, ends a process that went wrong.
const FATAL: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];
/// Longest text of one finding: 16 digits, a colon, 3 digits, a semicolon.
const FINDING: usize = 21;

/// What a judge is asked about.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// This thread got a fatal signal.
    Crash,
    /// Some seconds have passed.
    Tick,
}

/// Decides in a signal handler: the file at fault, if the program is to be started again.
///
/// It may read and write atomics, and nothing else: no memory, no lock, no file.
pub type Judge = fn(Event) -> Option<u64>;

/// How this program is started again.
pub struct Restart {
    /// The environment variable that carries the findings, `<file in hexadecimal>:<signal>;`
    /// each; the signal of a hang is 0.
    pub variable: &'static str,
    /// The findings so far.
    pub findings: String,
    /// Most findings; one more ends the program as if nobody watched.
    pub max_findings: usize,
    /// Seconds between two ticks.
    pub tick: u32,
    /// Who decides.
    pub judge: Judge,
}

/// Everything that the handler needs, made before it can be called.
struct Plan {
    program: CString,
    /// Pointers into strings that are never freed; the last is null.
    arguments: Box<[*const c_char]>,
    environment: Box<[*const c_char]>,
    /// The variable with its findings, room for another and the final zero.
    note: &'static [AtomicU8],
    used: AtomicUsize,
    may_restart: bool,
    tick: u32,
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

/// Watches over this process from now on. Only the first call counts.
#[allow(unsafe_code, reason = "signal handlers are the system's")]
pub fn arm(restart: &Restart) -> io::Result<()> {
    let tick = restart.tick;
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
    unsafe { libc::alarm(tick) };
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
        let words = note.bytes().chain(std::iter::repeat_n(0, FINDING + 1)).map(AtomicU8::new);
        let words: &'static [AtomicU8] = Box::leak(words.collect());
        let mut environment = std::env::vars_os()
            .filter(|(name, _)| name != restart.variable)
            .map(|(name, value)| leaked([name.into_vec(), value.into_vec()].join(&b'=')))
            .collect::<Result<Vec<_>, _>>()?;
        environment.extend([words.as_ptr().cast::<c_char>(), std::ptr::null()]);
        Ok(Self {
            program,
            arguments: arguments.into_boxed_slice(),
            environment: environment.into_boxed_slice(),
            note: words,
            used: AtomicUsize::new(note.len()),
            may_restart: restart.findings.matches(';').count() < restart.max_findings,
            tick: restart.tick,
            judge: restart.judge,
        })
    }

    /// Appends a finding to the note.
    fn add(&self, file: u64, signal: c_int) {
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
            push(b'0' + (signal / power % 10) as u8);
        }
        push(b';');
    }
}

/// The handler. Whatever it calls is on POSIX's list for handlers, or a plain atomic.
#[allow(unsafe_code, reason = "what ends or replaces a process is the system's")]
extern "C" fn on_signal(signal: c_int) {
    let Some(plan) = PLAN.get() else { return };
    let hang = signal == libc::SIGALRM;
    let found = (plan.judge)(if hang { Event::Tick } else { Event::Crash });
    match found.filter(|_| plan.may_restart) {
        Some(file) => {
            if RESTARTING.swap(true, Ordering::Relaxed) {
                // Another thread is about to replace this one, too.
                loop {
                    // SAFETY: waiting touches no memory.
                    unsafe { libc::pause() };
                }
            }
            plan.add(file, if hang { 0 } else { signal });
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
        // SAFETY: as above. A thread that hangs is waited for as long as it takes.
        None if hang => unsafe {
            libc::alarm(plan.tick);
        },
        // SAFETY: the default action of the signal ends the process as soon as it is unblocked.
        None => unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        },
    }
}
