// The panel: what was moved becomes commands, how the run stands becomes what the panel shows. Without control it only shows.
const PERIOD = 100; // ms between two messages of a slider

export class Controls {
  constructor(connection, act) {
    this.connection = connection;
    this.act = act;
    this.moved = {};
    this.at = (id) => document.getElementById(id);
    this.sites = { s1: 0, s2: 0 };
    this.wire();
  }

  wire() {
    const { at, connection } = this;
    const click = (id, work) => at(id).addEventListener("click", work);
    click("play", () => this.toggle());
    click("step", () => connection.command("step", { milliseconds: 1 }));
    click("undo", () => connection.command("undo"));
    click("clear", () => connection.command("clear_times"));
    click("disarm", () => connection.command("disarm"));
    click("pace-start", () => this.pace());
    click("checkpoint", () => connection.command("checkpoint"));
    click("journal", () => connection.send({ journal: {} }));
    click("snapshot", () => this.act.snapshot());
    click("home", () => this.act.home());
    click("control", () => connection.send(this.controls ? { hand_over: {} } : { ask: {} }));
    at("speed").addEventListener("change", () => {
      const value = at("speed").value;
      connection.command("speed", { factor: value === "max" ? null : Number(value) });
    });
    at("dt").addEventListener("change", () => connection.command("parameters", { dt: Number(at("dt").value) }));
    for (const id of ["alpha", "D", "anisotropy"]) at(id).addEventListener("input", () => this.slide(id));
    for (const id of ["radius", "factor", "strength"]) at(id).addEventListener("input", () => this.label());
    for (const id of ["cut-axis", "cut-at", "light", "calm"]) at(id).addEventListener("input", () => this.act.redraw());
    for (const kind of document.getElementsByName("kind")) kind.addEventListener("change", () => this.act.look(kind.value));
    this.label();
  }

  tool() {
    return document.querySelector("input[name=tool]:checked").value;
  }
  radius() {
    return Number(this.at("radius").value);
  }
  factor() {
    return Number(this.at("factor").value);
  }
  strength() {
    return Number(this.at("strength").value);
  }
  toggle() {
    this.connection.command(this.playing ? "pause" : "play");
  }

  // At most ten messages a second, and the last position is never lost.
  slide(id) {
    this.moved[id] = Number(this.at(id).value);
    this.at(`${id}-shown`).value = this.moved[id];
    if (this.timer) return;
    const send = () => {
      this.timer = null;
      if (!Object.keys(this.moved).length) return;
      this.connection.command("parameters", this.moved);
      this.moved = {};
      this.timer = setTimeout(send, PERIOD);
    };
    send();
  }

  label() {
    this.at("radius-shown").value = `${this.radius()} mm`;
    this.at("strength-shown").value = this.strength().toFixed(2);
    this.at("factor-shown").value = `${Math.round(100 * this.factor())} %`;
  }

  place(site, node) {
    this.sites[site] = node;
    this.at(`${site}-node`).value = `node ${node}`;
  }

  pace() {
    const number = (id) => Math.round(Number(this.at(id).value)), how = this.at("s2-how").value;
    const then = how === "never" ? "never" : { [how]: number("s2-delay") };
    this.connection.command("pace", {
      node: this.sites.s1, count: number("s1-count"), interval: number("s1-interval"),
      then, then_node: this.sites.s2, radius: this.radius(),
    });
  }

  welcome(about) {
    const { run, device } = about, { at } = this;
    at("about").textContent =
      `${run.geometry}, ${run.nodes.toLocaleString("en")} nodes, ${run.elements.toLocaleString("en")} elements, ${run.cell}, ` +
      `${run.scheme}, ${device}`;
    at("alpha-row").hidden = !about.alpha;
    at("dt").replaceChildren(...about.steps.map((step) => new Option(`${step} ms`, step)));
  }

  // How the run stands.
  show({ run, controls, controlled, asking, asked, viewers }) {
    const { at } = this;
    [this.controls, this.playing] = [controls, run.playing];
    at("play").textContent = run.playing ? "Pause" : "Play";
    for (const element of document.querySelectorAll("[data-needs-control]")) element.disabled = !controls;
    if (controls) at("undo").disabled = run.ablations === 0;
    this.choose("speed", run.speed === null ? "max" : String(run.speed));
    this.choose("dt", String(run.parameters.dt));
    for (const id of ["alpha", "D", "anisotropy"]) {
      const value = run.parameters[id];
      if (value === undefined || value === null || document.activeElement === at(id)) continue;
      at(id).value = value;
      at(`${id}-shown`).value = Number(value.toFixed(3));
    }
    const waits = run.armed ? "S2 waits for the tail" : run.pulses ? `${run.pulses} to come` : "";
    at("pulses").value = waits;
    const control = at("control");
    control.hidden = controls && asking === 0;
    control.disabled = asked;
    control.textContent = controls ? "Hand control over" : asked ? "Asked for control" : controlled ? "Ask for control" : "Take control";
    const watch = viewers === 1 ? "" : `, ${viewers} watch`;
    this.act.state(`${controls ? "you control" : run.replay ? "replay" : "you watch"}${watch}`);
    if (run.problem) this.act.note(run.problem, true);
  }

  choose(id, value) {
    const select = this.at(id);
    if (document.activeElement === select) return;
    if (![...select.options].some((option) => option.value === value)) select.append(new Option(value, value));
    select.value = value;
  }
}
