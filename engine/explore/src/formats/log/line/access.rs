//! The status of a request in the lines of web servers and proxies.

/// The status in an access line: the number after the quoted request.
pub fn status(rest: &str) -> Option<u32> {
    let behind = rest.get(rest.find('"')? + 1..)?;
    let behind = behind.get(behind.find("\" ")? + 2..)?;
    let word = behind.split_whitespace().next()?;
    let status = word.parse::<u32>().ok()?;
    (word.len() == 3 && (100..600).contains(&status)).then_some(status)
}

/// The status in Squid's own access lines: `TCP_DENIED/403` after the elapsed time and the client.
pub fn squid_status(rest: &str) -> Option<u32> {
    let mut words = rest.split_whitespace();
    words.next()?.parse::<u64>().ok()?;
    let (result, status) = words.nth(1)?.split_once('/')?;
    let known = !result.is_empty() && result.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let status = status.parse::<u32>().ok().filter(|_| status.len() == 3)?;
    (known && (100..600).contains(&status)).then_some(status)
}
