import { useCallback, useState } from 'react';
import type { Lookup } from './queries.ts';
import type { Message } from './results.ts';

export type Step =
  | { at: 'start' }
  /** Somebody who comes to see a member, or goes from one. */
  | { at: 'visitor' }
  | { at: 'matches'; found: Found }
  | { at: 'result'; message: Message; onLeave: (() => void) | null };

/** What was asked, what came of it, and the name of a visitor who asked for a host. */
export interface Found {
  query: string;
  lookup: Lookup;
  visitor: string | null;
}

/** Where a guest is at the door, and whether they come or go. */
export function useSteps(giveUp: () => void) {
  const [step, setStep] = useState<Step>({ at: 'start' });
  const [leaving, setLeaving] = useState(false);

  const restart = useCallback(
    (next: { leaving?: boolean; at?: 'start' | 'visitor' } = {}) => {
      giveUp();
      setLeaving(next.leaving ?? false);
      setStep({ at: next.at ?? 'start' });
    },
    [giveUp],
  );
  const choose = (found: Found) => setStep({ at: 'matches', found });
  const show = (message: Message, onLeave: (() => void) | null = null) =>
    setStep({ at: 'result', message, onLeave });

  return { step, leaving, restart, choose, show };
}

export type Steps = ReturnType<typeof useSteps>;
