/** What a board draws of a match, for tests of Sauve qui peut !: called in the page with the name of a look and what it needs. */
async ([which, given]) => {
  const { boardOf } = await import("/page/boards.js");
  const { html, render } = await import("/page/lit.js");
  const { learn, sayEvent } = await import("/page/words.js");
  const { Stage } = await import("/page/stage.js");
  await learn("sauve-qui-peut");
  const board = await boardOf("sauve-qui-peut");
  await document.fonts.ready;
  const { acts = [], names = [], shape = "wide", from = 0, most = Infinity, kinds = null } = given;
  const there = document.body.appendChild(document.createElement("div"));
  const [width, height] = board.size[shape];
  const texts = (what, within = there) => [...within.querySelectorAll(what)].map((each) => each.textContent.replace(/\s+/g, " ").trim());

  const draw = (scene, event = null) => {
    const nothing = { choice: null, preview: null, pick() {}, back() {}, why() {} };
    const desk = { ...nothing, name: (who) => names[who] ?? String(who), scene, seat: -1, shape, log: [], event };
    const look = `0 0 ${width} ${height}`;
    render(html`<svg class=${`scene ${shape}`} viewBox=${look} width=${width} height=${height}>${board.draw(desk)}</svg>`, there);
  };

  /** Play the match, and call back after every event, and with the scene that stands in the end. */
  const play = (told = () => {}) => {
    let scene = board.scene(acts[0].view, -1);
    for (const [place, { events, view }] of acts.slice(1).entries()) {
      for (const event of events) {
        const { scene: next, cue } = board.step(scene, event);
        told(next, event, cue, place + 1, scene);
        scene = next;
      }
      scene = board.scene(view, -1);
    }
    return scene;
  };

  const looks = {
    /** Events, at most so many of a kind: what is read, what changed, what the sheet says. */
    events: () => {
      const stage = new Stage(board, () => {}, { say: (event) => sayEvent(event, (who) => names[who]) });
      const found = [];
      play((scene, event, cue, place, before) => {
        const wanted = place >= from && (!kinds || kinds.includes(event.kind));
        if (!wanted || found.filter(({ kind }) => kind === event.kind).length >= most) return;
        draw(before);
        const was = there.innerHTML;
        draw(scene, event);
        found.push({
          kind: event.kind,
          changed: there.innerHTML !== was,
          sheet: texts(".sqp-count .row, .sqp-count .title, .sqp-count .outcome, .sqp-count .reason"),
          question: texts(".sqp-strip .question")[0] ?? "",
          points: texts(".sqp-crew .points").map(Number),
          big: Boolean(cue.big),
          roll: Boolean(cue.roll),
          focus: cue.focus && ["wide", "tall"].map((each) => cue.focus(each)),
          ms: stage.lasts(event, cue),
          line: stage.say(event),
        });
      });
      return found;
    },

    /** What stands above the sea in the end, and the rule of the last word. */
    question: () => {
      const scene = play();
      draw(scene);
      return [texts(".sqp-strip .question")[0], board.rule({ settled: { kind: "decide" } }, scene)];
    },

    /** What is wider than its room after an event of a kind, and the names as they stand on the cards. */
    names: () => {
      play((scene, event) => event.kind === given.event && draw(scene, event));
      const wide = [];
      const within = (box, room) => box.left >= room.left - 1 && box.right <= room.right + 1 && box.bottom <= room.bottom + 3;
      const check = (holder, room) => {
        for (const text of holder.querySelectorAll("text")) if (!within(text.getBoundingClientRect(), room)) wide.push(text.textContent);
      };
      const cards = [...there.querySelectorAll(".sqp-crew")];
      for (const card of cards) check(card, card.querySelector(".card").getBoundingClientRect());
      const sheet = there.querySelector(".sqp-count .sheet").getBoundingClientRect();
      check(there.querySelector(".sqp-count"), sheet);
      if (sheet.bottom > there.querySelector("svg").getBoundingClientRect().bottom) wide.push("the sheet");
      return [wide, cards.map((card) => texts(".who", card).join(" "))];
    },

    /** In which order wheels and people are drawn. */
    layers: () => {
      draw(play());
      return [...there.querySelectorAll(".sqp-piece")].map((piece) => (piece.querySelector(".sqp-person") ? "person" : "wheel"));
    },

    /** What taps on these things lead to, for the seat that must decide: what is picked, and what is asked about. */
    taps: async () => {
      const { Choice } = await import("/page/choice.js");
      const { seat, legal, cards, touched } = given;
      return touched.map((what) => {
        const calls = [];
        const note = (verb) => (part, value) => void calls.push([verb, part, value]);
        const choice = legal ? new Choice(legal, cards) : null;
        const desk = { choice, preview: null, pick: note("pick"), why: note("why"), back() {}, talk() {}, name: (who) => names[who], scene: board.scene(given.view, seat), seat, shape, log: [] };
        render(html`<svg>${board.draw(desk)}</svg>${board.hand(desk)}`, there);
        there.querySelector(what).dispatchEvent(new MouseEvent("click", { bubbles: true }));
        return calls;
      });
    },

    /** The words in the hand of someone who doesn't decide, while a scene of the match is shown. */
    waiting: () => {
      const desk = { choice: null, preview: null, pick() {}, why() {}, back() {}, name: (who) => names[who], scene: { ...board.scene(given.view, 0), ...given.scene }, seat: 0, shape, log: [] };
      render(board.hand(desk), there);
      return there.innerText;
    },

    /** What everyone may know of each player. */
    standing: () => given.view.crews.map(({ seat }) => Object.fromEntries(board.standing(given.view, seat).map(({ label, value }) => [label, value]))),
  };
  const found = await looks[which]();
  there.remove();
  return found;
}
