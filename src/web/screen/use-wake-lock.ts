import { useEffect } from 'react';

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
