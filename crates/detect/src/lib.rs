//! Secret and personal-data detectors: rule data, keyword prefilter, entropy, checksums
