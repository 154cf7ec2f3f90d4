import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../api/request.ts';
import { graphql } from '../gql/index.ts';
import { notifyFailure } from '../ui/notify.ts';
import { endSession } from './viewer.ts';

const SIGN_OUT = graphql(`
  mutation SignOut {
    signOut
  }
`);

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(SIGN_OUT),
    onSuccess: () => endSession(client, { sessionEnded: false }),
    onError: (error) => notifyFailure('You are still signed in', error),
  });
}
