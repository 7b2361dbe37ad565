//! Exit codes, as documented in the README.

/// Everything asked for passed.
pub const PASS: u8 = 0;
/// A bug in this program.
pub const INTERNAL: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// Nothing was selected to run, or nothing was found.
pub const NOTHING_RAN: u8 = 4;
/// A gate failed.
pub const GATE_FAILED: u8 = 10;
/// A gate had too little to judge by, or an unstable comparator.
pub const INSUFFICIENT: u8 = 11;
/// A comparator, corpus or prerequisite cannot be set up.
pub const SETUP: u8 = 20;
/// Bytes do not have the digest they must have.
pub const DIGEST: u8 = 21;
/// A signature is missing or wrong.
pub const SIGNATURE: u8 = 22;
/// Signed, but not by anybody trusted.
pub const POLICY: u8 = 23;
/// Signed evidence is not what its protocol demands of a sign-off.
pub const COMPOSITION: u8 = 24;
/// The session may see no content with this id.
pub const NOT_VISIBLE: u8 = 25;
/// A worker does not have what a unit needs: no engine, corpus or comparator with the digest that was asked for.
pub const NOT_HERE: u8 = 26;
/// The run was interrupted; run it again to resume.
pub const INCOMPLETE: u8 = 30;
/// Reading or writing failed.
pub const IO: u8 = 74;

/// The exit code of a verdict.
pub const fn of(verdict: crate::Verdict) -> u8 {
    use crate::Verdict;
    match verdict {
        Verdict::Pass => PASS,
        Verdict::Fail => GATE_FAILED,
        Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => INSUFFICIENT,
    }
}
