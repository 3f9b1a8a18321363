//! When to go on, and how far: simulated time keeps to the clock on the wall times the speed, in launches short enough
//! that commands and frames need not wait. What could not be kept up with is let go, not made up for.

use std::time::{Duration, Instant};

/// Wall time that a turn should take at most.
const TURN: f64 = 0.03;
/// Most simulated ms of a launch, so that electrograms have samples; more where they take less wall time than this, in
/// which a launch and a look at its end, 0.1 ms with half a million nodes, are a per cent. Three make a frame at 30 Hz.
const LAUNCH: u64 = 10;
const WORTHWHILE: f64 = 0.011;

/// Keeps the tempo.
pub struct Tempo {
    speed: Option<f64>,
    /// When simulated time was how many ms.
    anchor: (Instant, u64),
    /// Wall seconds of a simulated ms, as measured.
    cost: f64,
}

impl Tempo {
    /// From now on; without a speed as fast as can be.
    pub fn new(speed: Option<f64>, time: u64, now: Instant) -> Self {
        Self { speed, anchor: (now, time), cost: 0.0 }
    }
    /// 1 is real time.
    pub fn speed(&self) -> Option<f64> {
        self.speed
    }
    /// Another speed, after a restart.
    pub fn set_speed(&mut self, speed: Option<f64>) {
        self.speed = speed;
    }
    /// Goes on after a rest.
    pub fn restart(&mut self, time: u64, now: Instant) {
        self.anchor = (now, time);
    }
    /// Wall seconds of a simulated second.
    pub fn ratio(&self) -> f64 {
        1000.0 * self.cost
    }
    /// How many ms to go in one launch.
    pub fn launch(&self) -> u64 {
        if self.cost <= 0.0 {
            return 1;
        }
        ((TURN / self.cost) as u64).clamp(1, LAUNCH.max((WORTHWHILE / self.cost) as u64))
    }

    /// How far to go now, or how long to wait.
    pub fn due(&mut self, time: u64, now: Instant) -> Result<u64, Duration> {
        let Some(speed) = self.speed else { return Ok(time + self.launch()) };
        let (since, begun) = self.anchor;
        let ahead = begun as f64 + 1000.0 * speed * now.duration_since(since).as_secs_f64() - time as f64;
        if ahead < 1.0 {
            return Err(Duration::from_secs_f64(((1.0 - ahead) / (1000.0 * speed)).min(0.02)));
        }
        let most = if self.cost > 0.0 { (TURN / self.cost).max(1.0) } else { 1.0 };
        if ahead > 4.0 * most + 4.0 {
            self.restart(time, now); // it cannot keep up
        }
        Ok(time + ahead.min(most) as u64)
    }

    /// So many ms took so long.
    pub fn note(&mut self, milliseconds: u64, took: Duration) {
        let cost = took.as_secs_f64() / milliseconds.max(1) as f64;
        self.cost = if self.cost > 0.0 { 0.9 * self.cost + 0.1 * cost } else { cost };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_goes_and_lets_go() {
        let begun = Instant::now();
        let after = |milliseconds: u64| begun + Duration::from_millis(milliseconds);
        let mut tempo = Tempo::new(Some(0.1), 0, begun);
        assert!(tempo.due(0, after(8)).is_err(), "10 ms of wall for one");
        assert_eq!(tempo.due(0, after(55)), Ok(1), "carefully at first");
        tempo.note(1, Duration::from_millis(1));
        assert_eq!(tempo.due(0, after(55)), Ok(5));
        tempo.note(1, Duration::from_secs(1));
        assert_eq!(tempo.due(0, after(60_000)), Ok(1));
        assert!(tempo.due(1, after(60_001)).is_err(), "what is behind is let go");
        tempo.set_speed(None);
        assert_eq!(tempo.due(7, after(60_002)), Ok(8));
        assert!(tempo.ratio() > 100.0);
        let mut quick = Tempo::new(None, 0, begun);
        quick.note(10, Duration::from_micros(800));
        assert_eq!(quick.due(0, begun), Ok(137), "12 times faster than real time: 11 ms on the wall");
        let mut slow = Tempo::new(None, 0, begun);
        slow.note(10, Duration::from_millis(12));
        assert_eq!(slow.due(0, begun), Ok(10), "electrograms have a sample every 10 ms");
    }
}
