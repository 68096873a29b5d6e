//! Archives, byte by byte: so that they can be wrong in every way.

/// An entry that is stored as it is.
pub(crate) struct Entry<'e> {
    pub(crate) name: &'e str,
    pub(crate) bytes: &'e [u8],
    /// The mode of a Unix file, with its type.
    pub(crate) mode: u32,
    pub(crate) flags: u16,
}

impl<'e> Entry<'e> {
    pub(crate) fn file(name: &'e str, bytes: &'e [u8]) -> Self {
        Self { name, bytes, mode: 0o100_644, flags: 0 }
    }
}

fn crc(bytes: &[u8]) -> u32 {
    let table: Vec<u32> =
        (0..256u32).map(|n| (0..8).fold(n, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })).collect();
    !bytes.iter().fold(!0u32, |c, b| table[((c ^ u32::from(*b)) & 0xff) as usize] ^ (c >> 8))
}

/// The fields that both records of an entry have, from its version to the length of its name.
fn common(entry: &Entry<'_>) -> Vec<u8> {
    let size = (entry.bytes.len() as u32).to_le_bytes();
    let mut out = Vec::new();
    out.extend(20u16.to_le_bytes());
    out.extend(entry.flags.to_le_bytes());
    out.extend([0; 2]);
    out.extend([0, 0, 0x21, 0x28]);
    out.extend(crc(entry.bytes).to_le_bytes());
    out.extend(size);
    out.extend(size);
    out.extend((entry.name.len() as u16).to_le_bytes());
    out.extend([0; 2]);
    out
}

/// An archive of entries.
pub(crate) fn archive(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(b"PK\x01\x02");
        directory.extend([20, 3]);
        directory.extend(common(entry));
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(entry.name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(common(entry));
        out.extend(entry.name.as_bytes());
        out.extend(entry.bytes);
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06");
    out.extend([0; 4]);
    out.extend((entries.len() as u16).to_le_bytes());
    out.extend((entries.len() as u16).to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}
