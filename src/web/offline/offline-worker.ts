/**
 * Caches the display and kiosk pages, so that they start without the network. It caches pages and their assets only, not
 * data.
 */

// TypeScript's worker types conflict with its DOM types, so the few that are used are declared here.
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
    listener: (event: Kind extends 'fetch' ? FetchEvent : ServiceWorkerEvent) => void,
  ) => void;
}

const worker = self as unknown as ServiceWorkerScope;
const scope = new URL(worker.registration.scope);
const PAGE_CACHE = `pages ${scope.pathname}`;
const ASSET_CACHE = `assets ${scope.pathname}`;
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

/** Prefers the service, which may have a newer build, and falls back to the cache. */
async function fetchPage(pathname: string): Promise<Response> {
  const pages = await caches.open(PAGE_CACHE);
  const cached = await pages.match(pathname);
  try {
    const signal = cached ? AbortSignal.timeout(NETWORK_TIMEOUT_MS) : null;
    const fresh = await fetch(pathname, { cache: 'no-cache', signal });
    if (!fresh.ok) return cached && fresh.status >= 500 ? cached : fresh;
    if (cached && (await cached.clone().text()) !== (await fresh.clone().text()))
      await caches.delete(ASSET_CACHE); // a newer build has its own assets
    await pages.put(pathname, fresh.clone());
    return fresh;
  } catch (error) {
    if (cached) return cached;
    throw error;
  }
}

/** Prefers the cache, since asset names contain a hash of their content. */
async function fetchAsset(request: Request): Promise<Response> {
  const assets = await caches.open(ASSET_CACHE);
  const cached = await assets.match(request.url);
  if (cached) return cached;
  const fresh = await fetch(request);
  if (fresh.ok) await assets.put(request.url, fresh.clone());
  return fresh;
}

export {}; // makes this file a module, so its declarations stay local
