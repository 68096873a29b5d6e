//! Vectors with exact similarity: sparse ones of features, dense ones of a provider, both held as integers.

use std::cmp::Ordering;

/// More dimensions than any provider sends; what lies beyond is dropped, so that sums cannot overflow.
const DIMENSIONS: usize = 1 << 16;

/// Heavier features are this heavy, so that sums cannot overflow.
const HEAVIEST: i32 = 1 << 20;

/// Half the range of a quantised coordinate.
const SCALE: f32 = 32_767.0;

/// How alike two vectors are, in thousandths: 0 is unrelated or opposite, 1000 is the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Similarity(u16);

impl Similarity {
    /// The same direction.
    pub const SAME: Self = Self(1000);
    /// Nothing in common, or opposed.
    pub const NONE: Self = Self(0);

    /// A similarity of so many thousandths; more than 1000 is 1000.
    pub const fn new(thousandths: u16) -> Self {
        Self(if thousandths > 1000 { 1000 } else { thousandths })
    }

    /// The thousandths.
    pub const fn thousandths(self) -> u16 {
        self.0
    }

    /// What is left after keeping only so many thousandths of it.
    pub(super) fn scaled(self, thousandths: u16) -> Self {
        let kept = u32::from(self.0) * u32::from(thousandths.min(1000)) / 1000;
        Self(u16::try_from(kept).unwrap_or(1000))
    }
}

/// A name as a vector. Coordinates are integers, so that similarity is exact and the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    coordinates: Coordinates,
    /// The squared length.
    norm: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Coordinates {
    /// Sorted by feature, no feature twice, no weight of zero.
    Sparse(Vec<(u64, i32)>),
    Dense(Vec<i32>),
}

impl Vector {
    /// A dense vector, quantised to 16 bits relative to its largest coordinate. What is not finite counts as zero.
    pub fn dense(coordinates: &[f32]) -> Self {
        let finite = |x: &f32| if x.is_finite() { *x } else { 0.0 };
        let kept = coordinates.iter().take(DIMENSIONS).map(finite);
        let largest = kept.clone().map(f32::abs).fold(0.0, f32::max);
        let quantise = |x: f32| if largest > 0.0 { (x / largest * SCALE).round() as i32 } else { 0 };
        let coordinates: Vec<i32> = kept.map(quantise).collect();
        let norm = coordinates.iter().map(|x| square(*x)).sum();
        Self { coordinates: Coordinates::Dense(coordinates), norm }
    }

    /// A sparse vector of weighted features; weights of the same feature add up, to [`HEAVIEST`] at most.
    pub(super) fn sparse(mut features: Vec<(u64, i32)>) -> Self {
        features.sort_unstable_by_key(|(feature, _)| *feature);
        features.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        features.retain(|(_, weight)| *weight != 0);
        features.iter_mut().for_each(|(_, weight)| *weight = (*weight).clamp(-HEAVIEST, HEAVIEST));
        let norm = features.iter().map(|(_, weight)| square(*weight)).sum();
        Self { coordinates: Coordinates::Sparse(features), norm }
    }

    /// Whether it points nowhere: the vector of an empty name.
    pub fn is_zero(&self) -> bool {
        self.norm == 0
    }

    /// The cosine, rounded down to thousandths; opposed vectors are 0. A sparse and a dense vector, or dense ones of
    /// different dimensions, have nothing in common. Vectors that point nowhere are like each other only.
    pub fn similarity(&self, other: &Self) -> Similarity {
        if self.is_zero() && other.is_zero() {
            return Similarity::SAME;
        }
        let Ok(dot) = u128::try_from(self.dot(other)) else { return Similarity::NONE };
        let norms = u128::from(self.norm).saturating_mul(u128::from(other.norm));
        if norms == 0 {
            return Similarity::NONE;
        }
        let squared = dot.saturating_mul(dot).saturating_mul(1_000_000) / norms;
        Similarity::new(u16::try_from(squared.isqrt()).unwrap_or(1000))
    }

    fn dot(&self, other: &Self) -> i128 {
        match (&self.coordinates, &other.coordinates) {
            (Coordinates::Sparse(a), Coordinates::Sparse(b)) => sparse_dot(a, b),
            (Coordinates::Dense(a), Coordinates::Dense(b)) if a.len() == b.len() => {
                a.iter().zip(b).map(|(x, y)| product(*x, *y)).sum()
            }
            (Coordinates::Dense(_) | Coordinates::Sparse(_), _) => 0,
        }
    }
}

fn sparse_dot(a: &[(u64, i32)], b: &[(u64, i32)]) -> i128 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = 0;
    while let (Some((left, x)), Some((right, y))) = (a.peek(), b.peek()) {
        match left.cmp(right) {
            Ordering::Less => _ = a.next(),
            Ordering::Greater => _ = b.next(),
            Ordering::Equal => {
                sum += product(*x, *y);
                _ = (a.next(), b.next());
            }
        }
    }
    sum
}

fn product(x: i32, y: i32) -> i128 {
    i128::from(i64::from(x) * i64::from(y))
}

fn square(x: i32) -> u64 {
    let x = u64::from(x.unsigned_abs());
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &Vector, b: &Vector, expected: u16) {
        assert_eq!(a.similarity(b).thousandths(), expected);
        assert_eq!(b.similarity(a).thousandths(), expected);
    }

    #[test]
    fn cosines_are_exact() {
        let v = |features: &[(u64, i32)]| Vector::sparse(features.to_vec());
        check(&v(&[(1, 3), (2, 4)]), &v(&[(2, 4), (1, 3)]), 1000);
        check(&v(&[(1, 3), (2, 4)]), &v(&[(1, 1)]), 600);
        check(&v(&[(1, 3)]), &v(&[(1, -3)]), 0);
        check(&v(&[(1, 1), (1, 2)]), &v(&[(1, 7)]), 1000);
        check(&v(&[]), &v(&[]), 1000);
        check(&v(&[]), &v(&[(1, 1)]), 0);
        check(&v(&[(1, i32::MIN)]), &v(&[(1, i32::MIN)]), 1000);
    }

    #[test]
    fn dense_vectors_are_quantised() {
        check(&Vector::dense(&[0.3, 0.4]), &Vector::dense(&[3.0, 4.0]), 1000);
        check(&Vector::dense(&[1.0, 0.0]), &Vector::dense(&[0.0, 1.0]), 0);
        check(&Vector::dense(&[f32::NAN, f32::INFINITY, 1.0]), &Vector::dense(&[0.0, 0.0, 2.0]), 1000);
        check(&Vector::dense(&[1.0]), &Vector::dense(&[1.0, 0.0]), 0);
        check(&Vector::dense(&[1.0]), &Vector::sparse(vec![(0, 1)]), 0);
        check(&Vector::dense(&[f32::MIN_POSITIVE; 9]), &Vector::dense(&[f32::MAX; 9]), 1000);
        let large = Vector::dense(&vec![1.0; 2 * DIMENSIONS]);
        check(&large, &large, 1000);
    }
}
