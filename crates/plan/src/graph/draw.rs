//! Lines as paths: straight past boxes, curved only between rows, where there are none.

use super::layers::Layers;
use super::lists::{at, set};
use super::place::{Places, size};
use super::scene::{Scene, Style};
use std::fmt::Write;

/// Lanes at the side; further lines share them.
const LANES: usize = 60;
const LANE: f64 = 9.0;

/// A path, and whether an arrow ends it.
pub(super) struct Line {
    pub(super) path: String,
    pub(super) style: Style,
    pub(super) ends: bool,
}

/// A coordinate as it is written.
pub(super) fn n(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn port_x(layers: &Layers, places: &Places, port: usize) -> f64 {
    let node = layers.ports.get(port).map_or(0, |port| port.node);
    at(&places.x, node) + at(&places.shift, port)
}

/// The left and right edge of a box.
fn sides(scene: &Scene, layers: &Layers, places: &Places, vertex: usize) -> (f64, f64) {
    let row = at(&layers.row_of, vertex);
    let (top, bottom) = (at(&places.top, row), at(&places.bottom, row));
    let tall = scene.nodes.get(vertex).map_or(bottom - top, |node| size(node.kind).1);
    let middle = (top + bottom) / 2.0;
    (middle - tall / 2.0, middle + tall / 2.0)
}

pub(super) fn lines(scene: &Scene, layers: &Layers, places: &mut Places) -> Vec<Line> {
    let mut lines = Vec::with_capacity(layers.pieces.len());
    let mut passed = vec![false; layers.row_of.len()];
    for piece in &layers.pieces {
        let (from, to) = (at(&layers.row_of, piece.from), at(&layers.row_of, piece.to));
        let a = piece.out.map_or_else(|| at(&places.x, piece.from), |port| port_x(layers, places, port));
        let b = piece.into.map_or_else(|| at(&places.x, piece.to), |port| port_x(layers, places, port));
        let begin =
            if piece.out.is_some() { sides(scene, layers, places, piece.from).1 } else { at(&places.bottom, from) };
        let (curve, straight) = (at(&places.bottom, from), at(&places.straight, to));
        let middle = (curve + straight) / 2.0;
        let mut path = format!("M{} {}", n(a), n(begin));
        if begin < curve {
            let _ = write!(path, "V{}", n(curve));
        }
        let _ = match (a - b).abs() < 0.5 {
            true => write!(path, "V{}", n(straight)),
            false => {
                write!(path, "C{} {} {} {} {} {}", n(a), n(middle), n(b), n(middle), n(b), n(straight))
            }
        };
        let ends = piece.into.is_some();
        if ends {
            let _ = write!(path, "V{}", n(sides(scene, layers, places, piece.to).0 - 1.0));
        } else if !at(&passed, piece.to) {
            set(&mut passed, piece.to, true);
            let _ = write!(path, "V{}", n(at(&places.bottom, to)));
        } else {
            let _ = write!(path, "V{}", n(at(&places.top, to)));
        }
        lines.push(Line { path, style: piece.style, ends });
    }
    around(scene, layers, places, &mut lines);
    lines
}

/// Lines that go round by the side, each in a lane that is free over its length while there are any.
fn around(scene: &Scene, layers: &Layers, places: &mut Places, lines: &mut Vec<Line>) {
    let mut lanes: Vec<f64> = Vec::new();
    let mut ways: Vec<(f64, f64, f64, f64, f64, Style)> = Vec::with_capacity(layers.detours.len());
    for detour in &layers.detours {
        let node = |port: usize| layers.ports.get(port).map_or(0, |port| port.node);
        let (from, to) = (node(detour.out), node(detour.into));
        let begin = sides(scene, layers, places, from).1;
        let end = sides(scene, layers, places, to).0;
        let leave = at(&places.bottom, at(&layers.row_of, from)) + 6.0;
        let (a, b) = (port_x(layers, places, detour.out), port_x(layers, places, detour.into));
        ways.push((leave, begin, end, a, b, detour.style));
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.total_cmp(&b.2)).then(a.3.total_cmp(&b.3)));
    let right = places.width;
    for (index, (leave, begin, end, a, b, style)) in ways.into_iter().enumerate() {
        let free = lanes.iter().position(|until| *until < leave);
        let lane = free.unwrap_or(if lanes.len() < LANES { lanes.len() } else { index % LANES });
        lanes.resize(lanes.len().max(lane + 1), f64::MIN);
        let lowest = at(&lanes, lane).max(end);
        set(&mut lanes, lane, lowest);
        let x = right + lane as f64 * LANE;
        let row = places.top.partition_point(|top| *top <= end + 0.5).saturating_sub(1);
        let enter = at(&places.straight, row) - 3.0;
        let path = format!("M{} {}V{}H{}V{}H{}V{}", n(a), n(begin), n(leave), n(x), n(enter), n(b), n(end - 1.0));
        lines.push(Line { path, style, ends: true });
    }
    if !lanes.is_empty() {
        places.width += lanes.len() as f64 * LANE + super::place::MARGIN;
    }
}
