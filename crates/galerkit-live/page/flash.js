// Flashes: more than three a second over a large area may hurt (WCAG 2.3.1). The mean of what is shown stands for the area; a flash is a
// rise and a fall of a tenth of the whole range. While there are too many the picture is dimmed.
const LARGE = 0.1;
const MOST = 6; // turns in a second: three flashes
const FADE = 1500; // ms without too many before the picture comes back

export class FlashGuard {
  constructor() {
    this.turns = [];
    this.extreme = null;
    this.rising = true;
    this.last = -Infinity;
  }

  // How much to dim, from 0 to 1, when the mean is this (from 0 to 1) at a time in ms.
  step(mean, now) {
    if (this.extreme === null) this.extreme = mean;
    const ahead = this.rising ? mean - this.extreme : this.extreme - mean;
    if (ahead >= 0) {
      this.extreme = mean;
    } else if (-ahead > LARGE) {
      this.turns.push(now);
      this.rising = !this.rising;
      this.extreme = mean;
    }
    this.turns = this.turns.filter((turn) => now - turn < 1000);
    if (this.turns.length > MOST) this.last = now;
    return now - this.last < FADE ? 0.8 : 0;
  }
}
