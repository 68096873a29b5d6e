//! Ed25519 keys in the formats that other tools read: PKCS#8 and SPKI PEM. Verification is always strict.

use crate::error::KeyError;
use crate::hash::ContentHash;
use crate::hex::{HexText, unhex};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, KeypairBytes};
use ed25519_dalek::{Signature, Signer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The id of a key, derived from its public half: `ed25519:` and 32 hex digits.
///
/// It is the first 16 bytes of SHA-256 over `deed/public-key/v1`, a newline and the 32 key bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(String);

impl KeyId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for KeyId {
    type Err = KeyError;
    fn from_str(text: &str) -> Result<Self, KeyError> {
        text.strip_prefix("ed25519:").and_then(unhex::<16>).ok_or(KeyError::Id)?;
        Ok(Self(text.to_owned()))
    }
}

impl Serialize for KeyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for KeyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The public half of a key, written as base64 of its 32 bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey(ed25519_dalek::VerifyingKey);

impl PublicKey {
    /// Reads an SPKI PEM block.
    ///
    /// # Errors
    /// If the text is not an Ed25519 key in SPKI PEM.
    pub fn from_pem(pem: &str) -> Result<Self, KeyError> {
        let key = ed25519_dalek::VerifyingKey::from_public_key_pem(pem).map_err(|_| KeyError::Public)?;
        Self::strong(key)
    }

    /// Writes an SPKI PEM block.
    pub fn to_pem(&self) -> Result<String, KeyError> {
        self.0.to_public_key_pem(LineEnding::LF).map_err(|_| KeyError::Public)
    }

    /// Returns the key's id.
    pub fn id(&self) -> KeyId {
        let mut bytes = b"deed/public-key/v1\n".to_vec();
        bytes.extend_from_slice(self.0.as_bytes());
        let digest = ContentHash::of_bytes(&bytes);
        KeyId(HexText::<40>::new("ed25519:", digest.as_bytes()).as_str().to_owned())
    }

    /// Verifies a signature strictly: no malleable forms, no small-order keys.
    ///
    /// # Errors
    /// If the signature does not verify.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), KeyError> {
        let signature = Signature::from_slice(signature).map_err(|_| KeyError::Signature)?;
        self.0.verify_strict(message, &signature).map_err(|_| KeyError::Signature)
    }

    /// Returns true for a small-order key, which verifies messages that were never signed.
    fn strong(key: ed25519_dalek::VerifyingKey) -> Result<Self, KeyError> {
        if key.is_weak() { Err(KeyError::Public) } else { Ok(Self(key)) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.0.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let bytes = STANDARD.decode(text).map_err(|_| KeyError::Public)?;
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| KeyError::Public)?;
        Self::strong(ed25519_dalek::VerifyingKey::from_bytes(&bytes).map_err(|_| KeyError::Public)?)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A private key. It is wiped when dropped and never printed.
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// Creates a key from a 32-byte seed. The caller supplies the randomness.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    /// Reads a PKCS#8 PEM block.
    ///
    /// # Errors
    /// If the text is not an Ed25519 key in PKCS#8 PEM.
    pub fn from_pem(pem: &str) -> Result<Self, KeyError> {
        ed25519_dalek::SigningKey::from_pkcs8_pem(pem).map(Self).map_err(|_| KeyError::Private)
    }

    /// Writes a PKCS#8 PEM block into a buffer that is wiped when dropped.
    pub fn to_pem(&self) -> Result<impl AsRef<str> + use<>, KeyError> {
        struct Wiped(ed25519_dalek::pkcs8::spki::der::zeroize::Zeroizing<String>);
        impl AsRef<str> for Wiped {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
        // Version 1, without the public half: widespread tools do not read version 2.
        let pair = KeypairBytes { secret_key: self.0.to_bytes(), public_key: None };
        pair.to_pkcs8_pem(LineEnding::LF).map(Wiped).map_err(|_| KeyError::Private)
    }

    /// Returns the public half.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs a message; the same message always gives the same signature.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public().id())
    }
}
