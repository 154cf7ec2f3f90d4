import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { findSpaceName, readSpaceName } from '../language/space-name.ts';

/**
 * Caches the page, so that it can start without the network, which browsers allow over HTTPS only, and keeps its language and the
 * name of the space.
 */
export function useOfflinePage(page: 'display' | 'kiosk'): void {
  useEffect(() => {
    void cachePage(page).catch(() => undefined);
    const timer = setInterval(() => void reloadWithNewSettings().catch(() => undefined), HOUR_MS);
    return () => clearInterval(timer);
  }, [page]);
}

const HOUR_MS = 3_600_000;

/**
 * A page with the settings of the space that the offline worker leaves alone: it deletes the cached assets when a page of its own
 * is newer.
 */
const SETTINGS_PAGE = 'ticket';

/**
 * Nobody reloads these pages, and a space can change its language and its name. The language of a page that could not load its
 * texts is English.
 */
async function reloadWithNewSettings(): Promise<void> {
  const response = await fetch(toServiceUrl(SETTINGS_PAGE), { headers: { accept: 'text/html' } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const { lang } = page.documentElement;
  if (lang === '') return;
  if (lang !== document.documentElement.lang || readSpaceName(page) !== findSpaceName())
    window.location.reload();
}

async function cachePage(page: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const isFirstVisit = serviceWorker.controller === null;
  await serviceWorker.register(toServiceUrl('offline-worker.js'), {
    scope: toServiceUrl(page),
  });
  if (!isFirstVisit) return;
  // Files loaded before the worker was active are not cached yet, so they are fetched again.
  if (serviceWorker.controller === null)
    await new Promise((resolve) =>
      serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const assets = loaded.filter((name) => name.startsWith(toServiceUrl('admin/assets/')));
  await Promise.all([window.location.pathname, ...new Set(assets)].map((url) => fetch(url)));
}

/** Keeps tablets awake. Browsers release the lock whenever the page is hidden, so it is requested again. */
export function useWakeLock(): void {
  useEffect(() => {
    const requestLock = () => {
      if (document.visibilityState === 'visible')
        void navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    requestLock();
    document.addEventListener('visibilitychange', requestLock);
    return () => document.removeEventListener('visibilitychange', requestLock);
  }, []);
}
