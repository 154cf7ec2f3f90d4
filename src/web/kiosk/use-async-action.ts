import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isTransient } from '../api/errors.ts';
import { isNetworkProblem, toErrorText } from './messages.ts';
import { isTimeout } from './offline-queue.ts';

/** One attempt of a guest at a time, and what stood in its way. */
export function useAsyncAction() {
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOnline = useOnline();
  const turn = useRef(0);

  useEffect(() => {
    if (isOnline) setProblem((before) => (isNetworkProblem(before) ? null : before));
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
        if (isTimeout(thrown) || isTransient(thrown)) offline();
        else setProblem(toErrorText(thrown));
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

  return { isPending, isOnline, problem, setProblem, run: attempt, cancel: giveUp };
}

export type AsyncAction = ReturnType<typeof useAsyncAction>;

/** What the browser knows of the network: false is sure, true is not. */
const useOnline = () => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

function subscribeToNetwork(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
