import { useSyncExternalStore } from 'react';

/** What the browser knows of the network: false is sure, true is not. */
export const useOnline = () => useSyncExternalStore(listen, () => navigator.onLine);

function listen(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
