/**
 * The service worker: what a device shows while the server is unreachable. The network always comes first, so nothing
 * old is shown while it answers. It ignores tables and anything that needs a secret.
 */
const CACHE = "tribord";
const OFFLINE = "/page/offline.html";
const KEPT = [
  OFFLINE,
  "/page/offline.js",
  "/page/settings.js",
  "/page/palette.css",
  "/page/page.css",
  "/page/icon.svg",
  "/page/fonts/im-fell-double-pica-400.woff2",
  "/page/fonts/atkinson-hyperlegible-400.woff2",
  "/page/fonts/atkinson-hyperlegible-700.woff2",
];
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const request = /** @type {Request} */ (event.request);
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(OFFLINE)));
  else if (isFile(request)) event.respondWith(fresh(request));
});

/** A file of the page or of a game's board. Addresses with a question mark are personal. @param {Request} request */
function isFile(request) {
  const { origin, pathname, search } = new URL(request.url);
  return request.method === "GET" && origin === location.origin && /^\/(page|games)\//.test(pathname) && !search && !request.headers.has("authorization");
}

/** The server's current file, cached; the cached one if the server doesn't answer. @param {Request} request */
async function fresh(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      const copy = answer.clone();
      void caches.open(CACHE).then((cache) => cache.put(request, copy));
    }
    return answer;
  } catch {
    return kept(request);
  }
}

/** @param {RequestInfo} request @returns {Promise<Response>} */
async function kept(request) {
  return (await caches.match(request)) ?? Response.error();
}
