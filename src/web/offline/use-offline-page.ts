import { useEffect } from 'react';
import { serviceUrl } from '../api/urls.ts';

/** Lets the page come up without the network, too; over https, as browsers want it. */
export function useOfflinePage(place: 'display' | 'kiosk'): void {
  useEffect(() => {
    void keep(place).catch(() => undefined);
  }, [place]);
}

async function keep(place: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const isFirst = serviceWorker.controller === null;
  await serviceWorker.register(serviceUrl('front-door-worker.js'), { scope: serviceUrl(place) });
  if (!isFirst) return;
  // What was loaded before there was anybody to keep it is asked for once more.
  if (serviceWorker.controller === null)
    await new Promise((resolve) =>
      serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  const parts = performance.getEntriesByType('resource').map(({ name }) => name);
  const wanted = parts.filter((name) => name.startsWith(serviceUrl('admin/assets/')));
  await Promise.all([window.location.pathname, ...new Set(wanted)].map((url) => fetch(url)));
}
