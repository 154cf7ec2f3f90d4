import { useEffect, useState } from 'react';
import { pair } from './pairing.ts';
import { forget, keepToken, readToken } from './storage.ts';
import { type Device, useDevice } from './use-device.ts';

export interface Screen extends Omit<Device, 'token'> {
  isPaired: boolean;
  code: { text: string; expiresAt: number } | null;
}

/** What this screen is, and what it shows: it pairs itself, also when it was sent away. */
export function useScreen(): Screen {
  const { token, take, onConnection, ...device } = useDevice(tokenAtFirst);
  const [code, setCode] = useState<Screen['code']>(null);

  useEffect(() => {
    if (token !== null) return;
    const work = new AbortController();
    void pair({ onCode: setCode, onConnection }, work.signal).then((paired) => {
      if (paired === null) return;
      setCode(null);
      take(paired);
    });
    return () => work.abort();
  }, [token, take, onConnection]);

  return { ...device, isPaired: token !== null, code };
}

/** A token that staff made stands behind the # of the address; it is kept here and does not stay there. */
function tokenAtFirst(): string | null {
  const given = window.location.hash.slice(1);
  if (/^foyerd_\w+$/.test(given)) {
    forget();
    keepToken(given);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return readToken();
}
