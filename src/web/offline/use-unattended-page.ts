import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';

/** Lets the page come up without the network, too; over https, as browsers want it. */
export function useOfflinePage(place: 'display' | 'kiosk'): void {
  useEffect(() => {
    void cachePage(place).catch(() => undefined);
  }, [place]);
}

async function cachePage(place: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const isFirst = serviceWorker.controller === null;
  await serviceWorker.register(toServiceUrl('front-door-worker.js'), {
    scope: toServiceUrl(place),
  });
  if (!isFirst) return;
  // What was loaded before there was anybody to keep it is asked for once more.
  if (serviceWorker.controller === null)
    await new Promise((resolve) =>
      serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  const parts = performance.getEntriesByType('resource').map(({ name }) => name);
  const wanted = parts.filter((name) => name.startsWith(toServiceUrl('admin/assets/')));
  await Promise.all([window.location.pathname, ...new Set(wanted)].map((url) => fetch(url)));
}

/** Asks tablets not to switch off. Browsers let go of it whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    const stayAwake = () => {
      if (document.visibilityState === 'visible')
        void navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    stayAwake();
    document.addEventListener('visibilitychange', stayAwake);
    return () => document.removeEventListener('visibilitychange', stayAwake);
  }, []);
}
