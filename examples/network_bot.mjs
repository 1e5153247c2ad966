// A bot over the network in JavaScript, written from docs/protocol.md alone. It needs a table and a guest's secret:
//
//     node --experimental-websocket examples/network_bot.mjs http://127.0.0.1:8420 TABLE SECRET

const [url, name, secret] = process.argv.slice(2);
const LATER = ["too-often", "store-gone"];
const waiting = new Map(); // the commands without an answer, by id
let socket, guest, table, match, version = 0, attempts = 0;

const say = (message) => socket.send(JSON.stringify(message));
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

function connect() {
  socket = new WebSocket(url.replace(/^http/, "ws") + "/socket");
  socket.onopen = () => say({ t: "hello", protocol: 2, table: name, secret, ...(version && { seen: version }) });
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  const line = socket;
  line.onclose = line.onerror = async () => {
    line.onclose = line.onerror = null; // whichever comes first: in Node 20 a line that could not be opened has no close
    await pause(Math.random() * Math.min(10, 0.1 * 2 ** attempts++));
    connect();
  };
}

async function hear(message) {
  if (message.t === "welcome") guest = message.guest;
  if (message.t === "sync" || message.t === "gap") {
    version = message.v;
    attempts = 0;
    if (!message.table) return; // what was missed comes in portions, and this was not the last
    ({ table, match } = message);
    waiting.forEach(say); // the same ids: what was done is not done twice
  }
  if (message.t === "update" && message.v > version) {
    if (message.v > version + 1) return socket.close(); // something is missing: ask for it
    version = message.v;
    table = message.table ?? table;
    match = message.match ?? match;
  }
  if (message.t === "update" || message.t === "ack") waiting.delete(message.id);
  if (message.t === "refused") {
    if (!LATER.includes(message.code)) {
      if (!waiting.delete(message.id)) return leave(message.en, 1);
      console.log(message.en);
    } else if (waiting.has(message.id)) {
      await pause(message.seconds || 0.2);
      if (waiting.has(message.id)) say(waiting.get(message.id));
    }
  }
  if (table && !waiting.size) decide();
}

function decide() {
  const own = table.seats.filter((seat) => seat.guest === guest && seat.rank === null);
  const open = table.seats.find((seat) => seat.guest === null && seat.rank === null);
  if (table.status === "over") return leave(`winners: ${JSON.stringify(match.outcome.winners)}`, 0);
  if (table.status === "open" && !own.length && open) return command({ t: "sit", seat: open.seat });
  if (table.status === "open" && own.some((seat) => !seat.ready)) return command({ t: "ready" });
  for (const { seat } of own) {
    const legal = match?.legal[seat];
    if (legal) return command({ t: "act", seat, action: legal[Math.floor(Math.random() * legal.length)] });
  }
}

function command(what) {
  const id = crypto.randomUUID();
  waiting.set(id, { ...what, id });
  say(waiting.get(id));
}

function leave(word, status) {
  console.log(word);
  process.exit(status);
}

connect();
