import type { QueryKey } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { type Secret, useSecret } from './use-secret.ts';

/** A change whose answer holds a secret, which is shown once and kept nowhere. */
export function useSecretChange<Result, Input = void>(
  change: (input: Input) => Promise<Result>,
  affected: QueryKey[],
  secretOf: (result: Result) => Secret,
  onSuccess: (result: Result) => void = () => undefined,
) {
  const show = useSecret();
  return useChange(change, affected, (result) => {
    onSuccess(result);
    show(secretOf(result));
  });
}
