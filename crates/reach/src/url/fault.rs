//! Faults of URLs.

use thiserror::Error;

/// The reason why a URL, a host or a path cannot be read in one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UrlFault {
    /// It is neither `http://` nor `https://`.
    #[error("the url does not begin with `http://` or `https://`")]
    Scheme,
    /// It is longer than any server reads.
    #[error("the url is too long")]
    TooLong,
    /// It has a user or a password.
    #[error("the url names a user; credentials are given by rules")]
    User,
    /// It has no host, or one that is neither a name nor an address.
    #[error("the host is neither a name nor an address")]
    Host,
    /// Its host has letters beyond ASCII.
    #[error("the host is not written in ASCII; write it as `xn--…`")]
    HostLetters,
    /// Its host is an address in a spelling that is read in different ways.
    #[error("the host is an address in an odd spelling; write it as four decimal numbers")]
    HostSpelling,
    /// Its host names an interface.
    #[error("the host names a network interface")]
    HostZone,
    /// Its port is not a number from 1 to 65535.
    #[error("the port is not a number from 1 to 65535")]
    Port,
    /// Its path does not begin with one slash.
    #[error("the path does not begin with one `/`")]
    Start,
    /// It has a character that must be percent-encoded.
    #[error("a space, a control character or a letter beyond ASCII is not percent-encoded")]
    Character,
    /// It has a backslash, plain or encoded.
    #[error("the path has a backslash")]
    Backslash,
    /// It has a `%` without two hexadecimal digits.
    #[error("a `%` is not followed by two hexadecimal digits")]
    Percent,
    /// Its path has an encoded slash.
    #[error("the path has an encoded slash")]
    EncodedSlash,
    /// Its path has an encoded control character.
    #[error("the path has an encoded control character")]
    EncodedControl,
    /// Its path is encoded twice.
    #[error("the path is percent-encoded twice")]
    EncodedTwice,
    /// Its path is not UTF-8 once it is decoded.
    #[error("the percent-encoded bytes of the path are not utf-8")]
    Encoding,
    /// It has a `.` or `..` with parameters, which some servers take for a step upwards.
    #[error("the path has parameters on `.` or `..`")]
    DotParameters,
    /// It has a fragment where none may be.
    #[error("the url has a fragment")]
    Fragment,
}
