import type { QueryKey } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useInvalidatingMutation } from '../api/mutations.ts';

/** A change whose answer holds a secret, which is shown once and kept nowhere. */
export function useSecretMutation<Result, Input = void>(
  change: (input: Input) => Promise<Result>,
  affected: QueryKey[],
  secretOf: (result: Result) => RevealedSecret,
  onSuccess: (result: Result) => void = () => undefined,
) {
  const show = useSecretDialog();
  return useInvalidatingMutation(change, affected, (result) => {
    onSuccess(result);
    show(secretOf(result));
  });
}

export interface RevealedSecret {
  title: string;
  /** What it is and where it goes. */
  explanation: string;
  label: string;
  plainText: string;
  /** Addresses made with it, ready to be used. */
  urls?: { label: string; value: string }[];
}

export const SecretDialogContext = createContext<((secret: RevealedSecret) => void) | null>(null);

/** Shows a secret that cannot be asked for again. It outlives the page, and even the session, that made it. */
export function useSecretDialog() {
  const show = use(SecretDialogContext);
  if (show === null) throw new Error('useSecret stands outside SecretKeeper');
  return show;
}
