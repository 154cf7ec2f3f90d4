import { useState } from 'react';

const EACH_SECONDS = 10;

/** Whose turn it is, of things that are shown one after the other: counted anew when there are other ones. */
export function useTurn(now: Date, of: string): number {
  const at = now.getTime();
  const [began, setBegan] = useState({ of, at });
  if (began.of !== of) setBegan({ of, at });
  return Math.max(0, Math.floor((at - began.at) / 1000 / EACH_SECONDS));
}
