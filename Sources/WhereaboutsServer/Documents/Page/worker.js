// Keeps the files of the page, so that it opens without a connection. The server writes the version and the paths.
// Answers of the server with places are never kept here.

const name = "whereabouts-" + "VERSION";
const paths = ["FILES"];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(name);
    // All files of one version, or none.
    await cache.addAll(paths.map((path) => new Request(path, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const other of await caches.keys()) {
      if (other.startsWith("whereabouts-") && other !== name) await caches.delete(other);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !paths.includes(url.pathname)) return;
  event.respondWith((async () => {
    const cached = await caches.open(name).then((cache) => cache.match(url.pathname));
    return cached ?? fetch(event.request);
  })());
});
