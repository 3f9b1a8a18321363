//! Orthonormal frames of fibre, sheet and transmural direction, as rows, and their interpolation. A fibre has no head:
//! of the four frames that differ by half turns the one nearest is taken, else fibres would flip within the wall.

/// Fibre, the direction across it in the wall, and the one through the wall.
pub type Frame = [[f64; 3]; 3];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector of length 1, if it has a direction.
pub fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 1e-12 && length.is_finite()).then(|| a.map(|x| x / length))
}

/// Around the circumference, along the wall towards the base, and through the wall; none where the wall is not known.
pub fn axes(along: [f64; 3], through: [f64; 3]) -> Option<Frame> {
    let (along, through) = (unit(along)?, unit(through)?);
    let part = dot(along, through);
    let through = unit([0, 1, 2].map(|d| through[d] - part * along[d])).filter(|_| part.abs() < 1.0 - 1e-6)?;
    Some([cross(along, through), along, through])
}

/// The frame turned within the wall by an angle in radians.
pub fn turned([around, along, through]: Frame, angle: f64) -> Frame {
    let (sine, cosine) = angle.sin_cos();
    let mixed = |a: f64, b: f64| [0, 1, 2].map(|d| a * around[d] + b * along[d]);
    [mixed(cosine, sine), mixed(-sine, cosine), through]
}

/// w, x, y, z.
type Quaternion = [f64; 4];

fn quaternion([a, b, c]: Frame) -> Quaternion {
    // The largest of the four is computed first: no division by what vanishes.
    let squares =
        [1.0 + a[0] + b[1] + c[2], 1.0 + a[0] - b[1] - c[2], 1.0 - a[0] + b[1] - c[2], 1.0 - a[0] - b[1] + c[2]];
    let largest = (0..4).max_by(|i, j| squares[*i].total_cmp(&squares[*j])).unwrap_or(0);
    let size = squares[largest].max(0.0).sqrt();
    let half = 0.5 / size;
    let (yz, zx, xy) = ((b[2] - c[1]) * half, (c[0] - a[2]) * half, (a[1] - b[0]) * half);
    let (sum_xy, sum_zx, sum_yz) = ((a[1] + b[0]) * half, (c[0] + a[2]) * half, (b[2] + c[1]) * half);
    match largest {
        0 => [0.5 * size, yz, zx, xy],
        1 => [yz, 0.5 * size, sum_xy, sum_zx],
        2 => [zx, sum_xy, 0.5 * size, sum_yz],
        _ => [xy, sum_zx, sum_yz, 0.5 * size],
    }
}

fn frame([w, x, y, z]: Quaternion) -> Frame {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// From one frame (0) to another (1), on the shortest way to any of its half turns.
pub fn between(from: Frame, to: Frame, share: f64) -> Frame {
    let negative = |x: [f64; 3]| x.map(|x| -x);
    let [a, b, c] = from;
    let turns =
        [[a, b, c], [a, negative(b), negative(c)], [negative(a), b, negative(c)], [negative(a), negative(b), c]];
    let target = quaternion(to);
    let cosine = |q: Quaternion| (0..4).map(|k| q[k] * target[k]).sum::<f64>();
    let candidates = turns.map(quaternion);
    let nearest = candidates.into_iter().max_by(|p, q| cosine(*p).abs().total_cmp(&cosine(*q).abs())).unwrap_or(target);
    let near = cosine(nearest);
    let nearest = if near < 0.0 { nearest.map(|x| -x) } else { nearest };
    let angle = near.abs().min(1.0).acos();
    let weights = match angle < 1e-6 {
        true => [1.0 - share, share],
        false => [((1.0 - share) * angle).sin() / angle.sin(), (share * angle).sin() / angle.sin()],
    };
    let mixed = [0, 1, 2, 3].map(|k| weights[0] * nearest[k] + weights[1] * target[k]);
    let length = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
    frame(mixed.map(|x| x / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_quaternions_and_back() {
        let frame_of = |angle: f64| turned(axes([0.3, 0.4, 0.9], [-0.7, 0.2, 0.1]).unwrap(), angle);
        for step in 0..24 {
            let there = frame_of(0.3 * f64::from(step));
            let back = frame(quaternion(there));
            (0..3).for_each(|i| (0..3).for_each(|d| assert!((there[i][d] - back[i][d]).abs() < 1e-12)));
        }
    }

    /// Halfway between two turns about one axis is the mean turn, whichever way the fibres point.
    #[test]
    fn the_way_between_frames_is_the_shortest_of_a_line() {
        let wall = axes([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
        let (from, to) = (turned(wall, 0.5), turned(wall, -0.3));
        for flipped in
            [to, [to[0].map(|x| -x), to[1].map(|x| -x), to[2]], [to[0].map(|x| -x), to[1], to[2].map(|x| -x)]]
        {
            let middle = between(from, flipped, 0.5)[0];
            assert!((dot(middle, turned(wall, 0.1)[0]).abs() - 1.0).abs() < 1e-12, "{middle:?}");
        }
        assert!(axes([0.0, 0.0, 1.0], [0.0, 0.0, -2.0]).is_none() && axes([0.0; 3], [1.0, 0.0, 0.0]).is_none());
    }
}
