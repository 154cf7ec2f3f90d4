import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

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
  return useMutation({
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
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: async (result, input) => {
      await invalidate();
      onSuccess(result, input);
    },
    onError: () => void invalidate(),
  });
}

function useInvalidate(affected: QueryKey[]) {
  const client = useQueryClient();
  return () => Promise.all(affected.map((queryKey) => client.invalidateQueries({ queryKey })));
}
