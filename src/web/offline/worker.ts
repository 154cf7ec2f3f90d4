/**
 * Keeps the pages of the front door in the browser, so that a screen or a kiosk that is switched on while the network is
 * away comes up all the same. What they show and send is their own business: only pages and their parts are kept.
 */

// The types for workers contradict those for pages; this is as much of them as is used here.
interface ServiceWorkerEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface FetchEvent extends ServiceWorkerEvent {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
interface ServiceWorkerScope {
  registration: { scope: string };
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  addEventListener: <Kind extends 'install' | 'activate' | 'fetch'>(
    kind: Kind,
    then: (event: Kind extends 'fetch' ? FetchEvent : ServiceWorkerEvent) => void,
  ) => void;
}

const worker = self as unknown as ServiceWorkerScope;
const scope = new URL(worker.registration.scope);
const PAGE_CACHE = `pages ${scope.pathname}`;
const ASSET_CACHE = `parts ${scope.pathname}`;
const NETWORK_TIMEOUT_MS = 5_000;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== scope.origin) return;
  const isPage = pathname === scope.pathname || pathname.startsWith(`${scope.pathname}/`);
  if (isPage) event.respondWith(fetchPage(pathname));
  else if (/\/admin\/assets\/[^/]+$/.test(pathname)) event.respondWith(fetchAsset(request));
});

/** From the service if it can be reached soon: it may be a newer one. */
async function fetchPage(pathname: string): Promise<Response> {
  const pages = await caches.open(PAGE_CACHE);
  const kept = await pages.match(pathname);
  try {
    const signal = kept ? AbortSignal.timeout(NETWORK_TIMEOUT_MS) : null;
    const fresh = await fetch(pathname, { cache: 'no-cache', signal });
    if (!fresh.ok) return kept && fresh.status >= 500 ? kept : fresh;
    if (kept && (await kept.clone().text()) !== (await fresh.clone().text()))
      await caches.delete(ASSET_CACHE); // a newer build has parts of its own
    await pages.put(pathname, fresh.clone());
    return fresh;
  } catch (thrown) {
    if (kept) return kept;
    throw thrown;
  }
}

/** Never changes under its name. */
async function fetchAsset(request: Request): Promise<Response> {
  const parts = await caches.open(ASSET_CACHE);
  const kept = await parts.match(request.url);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await parts.put(request.url, fresh.clone());
  return fresh;
}

export {}; // what is declared here is of this file alone
