// Hands and keys on the picture: drag turns, the wheel approaches, a click touches, alt- or ctrl-click probes, shift-drag ablates; arrows,
// +, -, Enter, P and A do the same at the cross-hair.
const STILL = 4; // pixels that a click may move
const TURN = 0.1; // radians of an arrow key

export function listen(canvas, act) {
  let held = null;
  const place = (event) => [event.offsetX, event.offsetY];

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    const ablates = event.shiftKey || act.tool() === "ablate";
    held = { from: place(event), at: place(event), ablates, probes: event.altKey || event.ctrlKey, moved: false };
    if (ablates) act.stroke(...held.from);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = place(event), [u, v] = held.at;
    held.moved ||= Math.hypot(x - held.from[0], y - held.from[1]) > STILL;
    if (held.ablates) act.stroke(x, y);
    else if (held.moved) act.rotate((x - u) / 160, (y - v) / 160);
    held.at = [x, y];
  });
  const release = (event) => {
    if (!held) return;
    const { ablates, probes, moved, from } = held;
    held = null;
    if (ablates) act.ablate();
    else if (!moved && event.type === "pointerup") (probes ? act.probe : act.touch)(...from);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    act.approach(Math.exp(-event.deltaY / 600));
  }, { passive: false });

  const keys = {
    ArrowLeft: () => act.rotate(-TURN, 0),
    ArrowRight: () => act.rotate(TURN, 0),
    ArrowUp: () => act.rotate(0, -TURN),
    ArrowDown: () => act.rotate(0, TURN),
    "+": () => act.approach(1.15),
    "=": () => act.approach(1.15),
    "-": () => act.approach(1 / 1.15),
    Home: () => act.home(),
    " ": () => act.toggle(),
    Enter: () => act.touch(canvas.clientWidth / 2, canvas.clientHeight / 2),
    p: () => act.probe(canvas.clientWidth / 2, canvas.clientHeight / 2),
    a: () => {
      act.stroke(canvas.clientWidth / 2, canvas.clientHeight / 2);
      act.ablate();
    },
  };
  canvas.addEventListener("keydown", (event) => {
    const key = keys[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    key();
  });
}
