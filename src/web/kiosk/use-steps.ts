import { useCallback, useState } from 'react';
import type { KioskMessage } from './messages.ts';
import type { MemberLookup } from './queries.ts';

export type KioskStep =
  | { at: 'start' }
  /** Somebody who comes to see a member, or goes from one. */
  | { at: 'visitor' }
  | { at: 'matches'; found: LookupResult }
  | { at: 'result'; message: KioskMessage; onLeave: (() => void) | null };

/** What was asked, what came of it, and the name of a visitor who asked for a host. */
export interface LookupResult {
  query: string;
  lookup: MemberLookup;
  visitor: string | null;
}

/** Where a guest is at the door, and whether they come or go. */
export function useSteps(giveUp: () => void) {
  const [step, setStep] = useState<KioskStep>({ at: 'start' });
  const [leaving, setLeaving] = useState(false);

  const restart = useCallback(
    (next: { leaving?: boolean; at?: 'start' | 'visitor' } = {}) => {
      giveUp();
      setLeaving(next.leaving ?? false);
      setStep({ at: next.at ?? 'start' });
    },
    [giveUp],
  );
  const choose = (found: LookupResult) => setStep({ at: 'matches', found });
  const show = (message: KioskMessage, onLeave: (() => void) | null = null) =>
    setStep({ at: 'result', message, onLeave });

  return { step, leaving, restart, choose, show };
}

export type KioskSteps = ReturnType<typeof useSteps>;
