//! Marks every open file beyond the first three, so that the next program does not inherit it.

use std::io;

/// Makes the next `exec` close all files from 3 on.
#[allow(unsafe_code, reason = "there is no safe wrapper of close_range, and a walk over /proc/self/fd is slower")]
pub(crate) fn close_on_exec_beyond_standard() -> io::Result<()> {
    // SAFETY: the call takes three numbers and touches no memory of this process. Nothing is closed now, so no
    // owner of a file loses it; the mark only has an effect once this program is gone.
    let answer = unsafe { libc::close_range(3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC as libc::c_int) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
