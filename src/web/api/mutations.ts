import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

type MutationFunction<Input, Result> = (input: Input) => Promise<Result>;

/**
 * Runs a mutation, calls `onSuccess`, then invalidates the affected queries by key prefix. After a failure it
 * invalidates `affectedIfRefused`, for queries that no longer exist after a success.
 */
export function useInvalidatingMutation<Result, Input = void>(
  change: MutationFunction<Input, Result>,
  affected: QueryKey[],
  onSuccess: (result: Result) => void,
  affectedIfRefused = affected,
) {
  const invalidate = useInvalidate(affected);
  const invalidateIfRefused = useInvalidate(affectedIfRefused);
  return useMutation({
    mutationFn: change,
    gcTime: 0, // the result can hold a secret
    onSuccess: (result) => {
      onSuccess(result);
      void invalidate();
    },
    // A rejected change often means that the data changed meanwhile.
    onError: () => void invalidateIfRefused(),
  });
}

/** Calls `onSuccess` after the refetch, so that a closing dialog never reveals stale data. */
export function useRefetchingMutation<Result, Input = void>(
  change: MutationFunction<Input, Result>,
  affected: QueryKey[],
  onSuccess: (result: Result) => void,
) {
  const invalidate = useInvalidate(affected);
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: async (result) => {
      await invalidate();
      onSuccess(result);
    },
    onError: () => void invalidate(),
  });
}

function useInvalidate(affected: QueryKey[]) {
  const client = useQueryClient();
  return () => Promise.all(affected.map((queryKey) => client.invalidateQueries({ queryKey })));
}
