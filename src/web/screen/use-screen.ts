import { useEffect, useState } from 'react';
import { follow } from './following.ts';
import { pair } from './pairing.ts';
import { forget, type Kept, keep, keepToken, readKept, readToken } from './storage.ts';

export interface Screen {
  isPaired: boolean;
  /** It was paired, and its token is refused now. */
  wasRefused: boolean;
  code: { text: string; expiresAt: number } | null;
  kept: Kept | null;
  /** By this device's clock. */
  offlineSince: Date | null;
}

/** What this screen is, and what it shows: it pairs itself, follows its state, and starts over when it is sent away. */
export function useScreen(): Screen {
  const [token, setToken] = useState(tokenAtFirst);
  const [wasRefused, setWasRefused] = useState(false);
  const [code, setCode] = useState<Screen['code']>(null);
  const [kept, setKept] = useState(readKept);
  const [offlineSince, setOfflineSince] = useState<Date | null>(null);

  useEffect(() => {
    const work = new AbortController();
    const onConnection = (isThere: boolean) =>
      setOfflineSince((since) => (isThere ? null : (since ?? new Date())));
    const onKept = (kept: Kept) => {
      keep(kept);
      setKept(kept);
    };

    async function run(): Promise<void> {
      if (token === null) {
        const paired = await pair({ onCode: setCode, onConnection }, work.signal);
        if (paired === null) return;
        keepToken(paired);
        setCode(null);
        setWasRefused(false);
        setToken(paired);
      } else if (
        (await follow(token, readKept(), { onKept, onConnection }, work.signal)) === 'refused'
      ) {
        forget();
        setKept(null);
        setWasRefused(true);
        setToken(null);
      }
    }
    void run();
    return () => work.abort();
  }, [token]);

  return { isPaired: token !== null, wasRefused, code, kept, offlineSince };
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
