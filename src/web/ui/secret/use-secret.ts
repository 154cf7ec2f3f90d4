import { createContext, use } from 'react';

export interface Secret {
  title: string;
  /** What it is and where it goes. */
  explanation: string;
  label: string;
  plainText: string;
  /** Addresses made with it, ready to be used. */
  addresses?: { label: string; value: string }[];
}

export const SecretContext = createContext<((secret: Secret) => void) | null>(null);

/** Shows a secret that cannot be asked for again. It outlives the page, and even the session, that made it. */
export function useSecret() {
  const show = use(SecretContext);
  if (show === null) throw new Error('useSecret stands outside SecretKeeper');
  return show;
}
