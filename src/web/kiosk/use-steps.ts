import { useCallback, useState } from 'react';
import type { KioskMessage } from './messages.ts';
import type { MemberLookup } from './queries.ts';

export type KioskStep =
  | { at: 'start' }
  | { at: 'visitor' }
  | { at: 'matches'; result: LookupResult }
  | { at: 'result'; message: KioskMessage; onLeave: (() => void) | null };

export interface LookupResult {
  query: string;
  lookup: MemberLookup;
  /** The visitor's name if the lookup is for a host. */
  visitor: string | null;
}

/** Tracks the current screen and whether the guest arrives or leaves. */
export function useSteps(cancelAction: () => void) {
  const [step, setStep] = useState<KioskStep>({ at: 'start' });
  const [leaving, setLeaving] = useState(false);

  const restart = useCallback(
    (next: { leaving?: boolean; at?: 'start' | 'visitor' } = {}) => {
      cancelAction();
      setLeaving(next.leaving ?? false);
      setStep({ at: next.at ?? 'start' });
    },
    [cancelAction],
  );
  const choose = (result: LookupResult) => setStep({ at: 'matches', result });
  const show = (message: KioskMessage, onLeave: (() => void) | null = null) =>
    setStep({ at: 'result', message, onLeave });

  return { step, leaving, restart, choose, show };
}

export type KioskSteps = ReturnType<typeof useSteps>;
