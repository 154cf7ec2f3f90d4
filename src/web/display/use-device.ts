import { isFoyerError } from '@foyer/client';
import {
  type DisplaySnapshot,
  followDisplay,
  type PairingCode,
  pairDevice,
} from '@foyer/client/device';
import { useCallback, useEffect, useState } from 'react';
import { clearDevice, readSnapshot, readToken, saveSnapshot, saveToken } from './device-storage.ts';
import { createDeviceTransport, readTelemetry } from './device-transport.ts';

export interface DisplayDevice extends Omit<DeviceState, 'token'> {
  isPaired: boolean;
  code: PairingCode | null;
}

/** Runs a display. It requests pairing on the first start and again after staff has removed it. */
export function useDisplay(): DisplayDevice {
  const { token, setDeviceToken, setOfflineSince, ...device } = useDevice(readInitialToken);
  const [code, setCode] = useState<DisplayDevice['code']>(null);

  useEffect(() => {
    if (token !== null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const onConnection = (isConnected: boolean) =>
      setOfflineSince((since) => (isConnected ? null : (since ?? new Date())));
    const options = { onCode: setCode, onConnection, wakeUp: window, signal };
    void pairDevice(createDeviceTransport(), options).then((newToken) => {
      if (newToken === null) return;
      setCode(null);
      setDeviceToken(newToken);
    });
    return () => controller.abort();
  }, [token, setDeviceToken, setOfflineSince]);

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

/** Follows the content of a paired device and clears its data when its token is revoked. */
export function useDevice(loadToken: () => string | null) {
  const [token, setToken] = useState(loadToken);
  const [wasRevoked, setWasRevoked] = useState(false);
  const [snapshot, setSnapshot] = useState(readSnapshot);
  const [offlineSince, setOfflineSince] = useState<Date | null>(null);

  const setDeviceToken = useCallback((newToken: string) => {
    saveToken(newToken);
    setWasRevoked(false);
    setToken(newToken);
  }, []);

  useEffect(() => {
    if (token === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      const options = { snapshot: readSnapshot(), readTelemetry, wakeUp: window, signal };
      for await (const status of followDisplay(createDeviceTransport(token), options)) {
        if (status.snapshot) saveSnapshot(status.snapshot);
        setSnapshot(status.snapshot);
        setOfflineSince(status.offlineSince);
      }
    };
    follow().catch((error: unknown) => {
      if (!isFoyerError(error)) throw error;
      clearDevice();
      setSnapshot(null);
      setWasRevoked(true);
      setToken(null);
    });
    return () => controller.abort();
  }, [token]);

  return { token, wasRevoked, snapshot, offlineSince, setOfflineSince, setDeviceToken };
}
