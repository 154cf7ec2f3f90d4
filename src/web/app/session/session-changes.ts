import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import { notifyFailure } from '../../components/notify.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { forgetViewer, loadSignedInViewer } from './viewer.ts';

/**
 * Call after sign-in.
 *
 * @throws ApiError if the browser has not saved the session.
 */
export async function beginSession(client: QueryClient) {
  if (await loadSignedInViewer(client)) return;
  throw new ApiError('COOKIE_REJECTED', getMemberText('signIn.cookieRejected'));
}

const SIGN_OUT_MUTATION = graphql(`
  mutation SignOut {
    signOut {
      viewer {
        kind
      }
    }
  }
`);

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(SIGN_OUT_MUTATION),
    onSuccess: () => forgetViewer(client),
    onError: (error) => notifyFailure(getMemberText('session.signOutFailed'), error),
  });
}
