import type { QueryKey } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useInvalidatingMutation } from '../api/mutations.ts';

/** A mutation whose result holds a secret. The secret is shown once and never cached. */
export function useSecretMutation<Result, Input = void>(
  change: (input: Input) => Promise<Result>,
  affected: QueryKey[],
  toSecret: (result: Result) => RevealedSecret,
  onSuccess: (result: Result) => void = () => undefined,
) {
  const show = useSecretDialog();
  return useInvalidatingMutation(change, affected, (result) => {
    onSuccess(result);
    show(toSecret(result));
  });
}

export interface RevealedSecret {
  title: string;
  /** What the secret is for and where to use it. */
  explanation: string;
  label: string;
  plainText: string;
  /** Ready-made URLs that contain the secret. */
  urls?: { label: string; value: string }[];
}

export const SecretDialogContext = createContext<((secret: RevealedSecret) => void) | null>(null);

/** Shows a one-time secret. The dialog survives navigation and even the end of the session. */
export function useSecretDialog() {
  const show = use(SecretDialogContext);
  if (show === null) throw new Error('useSecretDialog needs SecretDialogProvider above it');
  return show;
}
