import {
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';

/** Creates a record, or updates the one whose id is part of the input. */
export type RecordChange<Create, Update> = { create: Create } | { update: Update };

type MutationFunction<Input, Result> = (input: Input) => Promise<Result>;

/**
 * Runs a mutation, calls `onSuccess`, then invalidates the affected queries by key prefix. Pass `affectedOnError` if a
 * success removes what some queries load, so that only a failure refetches them.
 */
export function useInvalidatingMutation<Result, Input = void>(
  change: MutationFunction<Input, Result>,
  affected: QueryKey[],
  onSuccess: (result: Result) => void,
  affectedOnError = affected,
) {
  const invalidate = useInvalidate(affected);
  const invalidateOnError = useInvalidate(affectedOnError);
  return useSingleMutation({
    mutationFn: change,
    gcTime: 0, // the result can hold a secret
    onSuccess: (result) => {
      onSuccess(result);
      void invalidate();
    },
    // A change is often rejected because the page shows outdated data.
    onError: () => void invalidateOnError(),
  });
}

/** Calls `onSuccess` after the refetch, so that stale data never shows when a dialog closes. */
export function useRefetchingMutation<Result, Input = void>(
  change: MutationFunction<Input, Result>,
  affected: QueryKey[],
  onSuccess: (result: Result, input: Input) => void,
) {
  const invalidate = useInvalidate(affected);
  return useSingleMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: async (result, input) => {
      await invalidate();
      onSuccess(result, input);
    },
    onError: () => void invalidate(),
  });
}

/** Ignores an input that is submitted again while it runs, as by a double click, before the button shows that it is pending. */
function useSingleMutation<Result, Input>(
  options: UseMutationOptions<Result, Error, Input>,
): UseMutationResult<Result, Error, Input> {
  const running = useRef(new Set<string>()).current;
  const toKey = (input: unknown) => JSON.stringify(input) ?? '';
  const mutation = useMutation({
    ...options,
    onSettled: (_result, _error, input) => void running.delete(toKey(input)),
  });
  const mutate: typeof mutation.mutate = (...call) => {
    const key = toKey(call[0]);
    if (running.has(key)) return;
    running.add(key);
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}

function useInvalidate(affected: QueryKey[]) {
  const client = useQueryClient();
  return () => Promise.all(affected.map((queryKey) => client.invalidateQueries({ queryKey })));
}
