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

/** Runs a display. It requests pairing on the first start and again after staff has removed it. */
export function useDisplay(): DisplayDevice {
  const { token, setDeviceToken, onConnection, ...device } = useDevice(readInitialToken);
  const [code, setCode] = useState<DisplayDevice['code']>(null);

  useEffect(() => {
    if (token !== null) return;
    const controller = new AbortController();
    void pairDevice({ onCode: setCode, onConnection }, controller.signal).then((newToken) => {
      if (newToken === null) return;
      setCode(null);
      setDeviceToken(newToken);
    });
    return () => controller.abort();
  }, [token, setDeviceToken, onConnection]);

  return { ...device, isPaired: token !== null, code };
}

/** Takes a token created by staff from the URL fragment, saves it and removes it from the address bar. */
function readInitialToken(): string | null {
  const fragment = window.location.hash.slice(1);
  if (/^foyerd_\w+$/.test(fragment)) {
    clearDevice();
    saveToken(fragment);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return readToken();
}

interface DeviceState {
  token: string | null;
  /** Whether the device was paired before and its token was revoked. */
  wasRevoked: boolean;
  snapshot: DisplaySnapshot | null;
  /** By this device's clock. */
  offlineSince: Date | null;
}

/** Runs the poll loop of a paired device and clears its data when its token is revoked. */
export function useDevice(loadToken: () => string | null) {
  const [token, setToken] = useState(loadToken);
  const [wasRevoked, setWasRevoked] = useState(false);
  const [snapshot, setSnapshot] = useState(readSnapshot);
  const [offlineSince, setOfflineSince] = useState<Date | null>(null);

  const onConnection = useCallback(
    (isConnected: boolean) =>
      setOfflineSince((since) => (isConnected ? null : (since ?? new Date()))),
    [],
  );
  const setDeviceToken = useCallback((newToken: string) => {
    saveToken(newToken);
    setWasRevoked(false);
    setToken(newToken);
  }, []);

  useEffect(() => {
    if (token === null) return;
    const controller = new AbortController();
    const onSnapshot = (next: DisplaySnapshot) => {
      saveSnapshot(next);
      setSnapshot(next);
    };
    const handlers = { onSnapshot, onConnection };
    void runPollLoop(token, readSnapshot(), handlers, controller.signal).then((end) => {
      if (end !== 'rejected') return;
      clearDevice();
      setSnapshot(null);
      setWasRevoked(true);
      setToken(null);
    });
    return () => controller.abort();
  }, [token, onConnection]);

  return { token, wasRevoked, snapshot, offlineSince, onConnection, setDeviceToken };
}
