import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation, useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type { MySessionsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const SESSIONS_KEY = ['my-sessions'];

export type Session = MySessionsQuery['mySessions'][number];

const MY_SESSIONS_QUERY = graphql(`
  query MySessions {
    mySessions {
      id
      browser
      createdAt
      lastUsedAt
      isCurrent
    }
  }
`);

export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: async () => (await request(MY_SESSIONS_QUERY)).mySessions,
  });

const END_SESSION_MUTATION = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input) {
      id
    }
  }
`);

const END_OTHER_SESSIONS_MUTATION = graphql(`
  mutation EndOtherSessions {
    endOtherSessions {
      id
    }
  }
`);

const CHANGE_PASSWORD_MUTATION = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(current: $current, next: $next)
  }
`);

export const useEndSession = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(END_SESSION_MUTATION, { input: { id } }),
    [SESSIONS_KEY],
    onSuccess,
  );

export const useEndOtherSessions = (onSuccess: () => void) =>
  useRefetchingMutation(() => request(END_OTHER_SESSIONS_MUTATION), [SESSIONS_KEY], onSuccess);

export const useChangePassword = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: { current: string; next: string }) => request(CHANGE_PASSWORD_MUTATION, input),
    [SESSIONS_KEY],
    onSuccess,
  );
