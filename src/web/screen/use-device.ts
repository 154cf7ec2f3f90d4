import { useCallback, useEffect, useState } from 'react';
import { follow } from './following.ts';
import { forget, type Kept, keep, keepToken, readKept } from './storage.ts';

export interface Device {
  token: string | null;
  /** It was paired, and its token is refused now. */
  wasRefused: boolean;
  kept: Kept | null;
  /** By this device's clock. */
  offlineSince: Date | null;
}

/** A paired device: it follows its state and tells that it is alive, and forgets what it was when it is sent away. */
export function useDevice(tokenAtFirst: () => string | null) {
  const [token, setToken] = useState(tokenAtFirst);
  const [wasRefused, setWasRefused] = useState(false);
  const [kept, setKept] = useState(readKept);
  const [offlineSince, setOfflineSince] = useState<Date | null>(null);

  const onConnection = useCallback(
    (isThere: boolean) => setOfflineSince((since) => (isThere ? null : (since ?? new Date()))),
    [],
  );
  const take = useCallback((token: string) => {
    keepToken(token);
    setWasRefused(false);
    setToken(token);
  }, []);

  useEffect(() => {
    if (token === null) return;
    const work = new AbortController();
    const onKept = (kept: Kept) => {
      keep(kept);
      setKept(kept);
    };
    void follow(token, readKept(), { onKept, onConnection }, work.signal).then((end) => {
      if (end !== 'refused') return;
      forget();
      setKept(null);
      setWasRefused(true);
      setToken(null);
    });
    return () => work.abort();
  }, [token, onConnection]);

  return { token, wasRefused, kept, offlineSince, onConnection, take };
}
