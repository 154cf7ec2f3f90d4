import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

type MutationFunction<Input, Result> = (input: Input) => Promise<Result>;

/**
 * Something that is done, then told; what it affects, named by the beginnings of its keys, is looked at again. What is
 * gone once it is done is looked at only if it was refused.
 */
export function useInvalidatingMutation<Result, Input = void>(
  change: MutationFunction<Input, Result>,
  affected: QueryKey[],
  onSuccess: (result: Result) => void,
  affectedIfRefused = affected,
) {
  const lookAgain = useInvalidate(affected);
  const lookAgainIfRefused = useInvalidate(affectedIfRefused);
  return useMutation({
    mutationFn: change,
    gcTime: 0, // an answer may hold a secret: it is not to be kept
    onSuccess: (result) => {
      onSuccess(result);
      void lookAgain();
    },
    // What was refused has mostly been changed by somebody else meanwhile.
    onError: () => void lookAgainIfRefused(),
  });
}

/** Told only when it can be seen: whatever is open until then never gives way to what was there before. */
export function useRefetchingMutation<Result, Input = void>(
  change: MutationFunction<Input, Result>,
  affected: QueryKey[],
  onSuccess: (result: Result) => void,
) {
  const lookAgain = useInvalidate(affected);
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: async (result) => {
      await lookAgain();
      onSuccess(result);
    },
    onError: () => void lookAgain(),
  });
}

function useInvalidate(affected: QueryKey[]) {
  const client = useQueryClient();
  return () => Promise.all(affected.map((queryKey) => client.invalidateQueries({ queryKey })));
}
