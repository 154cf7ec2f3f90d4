import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isTransient } from '../api/errors.ts';
import { isNetworkProblem, toErrorText } from './messages.ts';

/** Runs one action at a time and stores its error message. */
export function useAsyncAction() {
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOnline = useOnline();
  const latestRun = useRef(0);

  useEffect(() => {
    if (isOnline) setProblem((current) => (isNetworkProblem(current) ? null : current));
  }, [isOnline]);

  /** Ignores the outcome if the action was cancelled or another one has begun since. */
  const run = useCallback(
    async <Result>(
      work: () => Promise<Result>,
      onSuccess: (result: Result) => void,
      onOffline: () => void,
    ) => {
      latestRun.current += 1;
      const thisRun = latestRun.current;
      setProblem(null);
      setIsPending(true);
      try {
        const result = await work();
        if (thisRun === latestRun.current) onSuccess(result);
      } catch (error) {
        if (thisRun !== latestRun.current) return;
        if (isTransient(error)) onOffline();
        else setProblem(toErrorText(error));
      } finally {
        if (thisRun === latestRun.current) setIsPending(false);
      }
    },
    [],
  );

  const cancel = useCallback(() => {
    latestRun.current += 1;
    setIsPending(false);
    setProblem(null);
  }, []);

  return { isPending, isOnline, problem, setProblem, run, cancel };
}

export type AsyncAction = ReturnType<typeof useAsyncAction>;

/** Browsers know when they are offline. When they report online, the service may still be unreachable. */
const useOnline = () => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

function subscribeToNetwork(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
