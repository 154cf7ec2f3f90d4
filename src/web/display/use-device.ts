import { useCallback, useEffect, useState } from 'react';
import {
  clearDevice,
  type DisplaySnapshot,
  readSnapshot,
  readToken,
  saveSnapshot,
  saveToken,
} from './device-storage.ts';
import { pairDevice } from './pair-device.ts';
import { runPollLoop } from './poll-loop.ts';

export interface DisplayDevice extends Omit<DeviceState, 'token'> {
  isPaired: boolean;
  code: { text: string; expiresAt: number } | null;
}

/** What this screen is, and what it shows: it pairs itself, also when it was sent away. */
export function useDisplay(): DisplayDevice {
  const { token, take, onConnection, ...device } = useDevice(readInitialToken);
  const [code, setCode] = useState<DisplayDevice['code']>(null);

  useEffect(() => {
    if (token !== null) return;
    const work = new AbortController();
    void pairDevice({ onCode: setCode, onConnection }, work.signal).then((paired) => {
      if (paired === null) return;
      setCode(null);
      take(paired);
    });
    return () => work.abort();
  }, [token, take, onConnection]);

  return { ...device, isPaired: token !== null, code };
}

/** A token that staff made stands behind the # of the address; it is kept here and does not stay there. */
function readInitialToken(): string | null {
  const given = window.location.hash.slice(1);
  if (/^foyerd_\w+$/.test(given)) {
    clearDevice();
    saveToken(given);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return readToken();
}

interface DeviceState {
  token: string | null;
  /** It was paired, and its token is refused now. */
  wasRefused: boolean;
  snapshot: DisplaySnapshot | null;
  /** By this device's clock. */
  offlineSince: Date | null;
}

/** A paired device: it follows its state and tells that it is alive, and forgets what it was when it is sent away. */
export function useDevice(tokenAtFirst: () => string | null) {
  const [token, setToken] = useState(tokenAtFirst);
  const [wasRefused, setWasRefused] = useState(false);
  const [kept, setKept] = useState(readSnapshot);
  const [offlineSince, setOfflineSince] = useState<Date | null>(null);

  const onConnection = useCallback(
    (isThere: boolean) => setOfflineSince((since) => (isThere ? null : (since ?? new Date()))),
    [],
  );
  const take = useCallback((token: string) => {
    saveToken(token);
    setWasRefused(false);
    setToken(token);
  }, []);

  useEffect(() => {
    if (token === null) return;
    const work = new AbortController();
    const onKept = (kept: DisplaySnapshot) => {
      saveSnapshot(kept);
      setKept(kept);
    };
    void runPollLoop(token, readSnapshot(), { onSnapshot: onKept, onConnection }, work.signal).then(
      (end) => {
        if (end !== 'refused') return;
        clearDevice();
        setKept(null);
        setWasRefused(true);
        setToken(null);
      },
    );
    return () => work.abort();
  }, [token, onConnection]);

  return { token, wasRefused, snapshot: kept, offlineSince, onConnection, take };
}
