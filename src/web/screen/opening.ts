import { isCovered } from './showing.ts';
import type { Kept } from './storage.ts';

/** Whether a house is open at a moment, out of a state that may have been read long before. */
export interface House {
  isOpen: boolean;
  /** Null where it is closed, or does not close for long. */
  closesAt: string | null;
  /** Null where it is open, or nobody knows. */
  opensAt: string | null;
}

const OPEN: House = { isOpen: true, closesAt: null, opensAt: null };

export function houseAt(kept: Kept, now: Date): House {
  const { opening } = kept.state.content;
  // Kept by a screen that knew no hours, it has none; and beyond what is covered nobody can tell.
  if (!opening || !isCovered(kept, now)) return OPEN;
  const coming = opening.filter(({ closes_at }) => closes_at === null || new Date(closes_at) > now);
  const hasOpened = (at: string | null) => at === null || new Date(at) <= now;
  const current = coming.find(({ opens_at }) => hasOpened(opens_at));
  if (current) return { ...OPEN, closesAt: current.closes_at };
  return { isOpen: false, closesAt: null, opensAt: coming[0]?.opens_at ?? null };
}
