import { useCallback, useEffect, useRef, useState } from 'react';
import { isPassing } from '../api/errors.ts';
import { ofNetwork, problemOf } from './problems.ts';
import { useOnline } from './use-online.ts';
import { isTimeout } from './use-uploads.ts';

/** One attempt of a guest at a time, and what stood in its way. */
export function useAttempt() {
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOnline = useOnline();
  const turn = useRef(0);

  useEffect(() => {
    if (isOnline) setProblem((before) => (ofNetwork(before) ? null : before));
  }, [isOnline]);

  /** Answers that come after the guest went away are for nobody. */
  const attempt = useCallback(
    async <Got>(work: () => Promise<Got>, then: (got: Got) => void, offline: () => void) => {
      turn.current += 1;
      const mine = turn.current;
      setProblem(null);
      setIsPending(true);
      try {
        const got = await work();
        if (mine === turn.current) then(got);
      } catch (thrown) {
        if (mine !== turn.current) return;
        if (isTimeout(thrown) || isPassing(thrown)) offline();
        else setProblem(problemOf(thrown));
      } finally {
        if (mine === turn.current) setIsPending(false);
      }
    },
    [],
  );

  const giveUp = useCallback(() => {
    turn.current += 1;
    setIsPending(false);
    setProblem(null);
  }, []);

  return { isPending, isOnline, problem, setProblem, attempt, giveUp };
}

export type Attempts = ReturnType<typeof useAttempt>;
