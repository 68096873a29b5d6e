//! Endpoint references: entries of a registry, never addresses or credentials.

/// The reason why a text is not a registry reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EndpointFault {
    /// User names, passwords, tokens or queries.
    Credentials,
    /// Anything else, in words.
    NotAReference(&'static str),
}

/// Schemes that address a machine, a database or a file, and not a reviewed registry entry.
const ADDRESSES: [&str; 48] = [
    "http",
    "https",
    "ws",
    "wss",
    "ftp",
    "ftps",
    "sftp",
    "ssh",
    "scp",
    "file",
    "data",
    "tcp",
    "udp",
    "tls",
    "unix",
    "grpc",
    "grpcs",
    "git",
    "docker",
    "oci",
    "s3",
    "gs",
    "gcs",
    "az",
    "azure",
    "abfs",
    "abfss",
    "hdfs",
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "kafka",
    "nats",
    "mqtt",
    "mqtts",
    "ldap",
    "ldaps",
    "smtp",
    "smtps",
    "jdbc",
    "mailto",
];

/// Checks for `<registry>://<entry>`, where both are plain names.
pub(crate) fn check_endpoint(text: &str) -> Result<(), EndpointFault> {
    let Some((scheme, rest)) = text.split_once("://") else {
        return Err(EndpointFault::NotAReference("it has no `<registry>://`"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') || rest.contains(['?', '#']) {
        return Err(EndpointFault::Credentials);
    }
    if !scheme.starts_with(|c: char| c.is_ascii_lowercase())
        || !scheme.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'))
    {
        return Err(EndpointFault::NotAReference("the registry's name is not a plain word"));
    }
    if ADDRESSES.contains(&scheme) {
        return Err(EndpointFault::NotAReference("it is an address, not a registry entry"));
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
    if authority.is_empty() || !rest.bytes().all(plain) || rest.contains("..") {
        return Err(EndpointFault::NotAReference("the entry's name is not a plain name"));
    }
    Ok(())
}
