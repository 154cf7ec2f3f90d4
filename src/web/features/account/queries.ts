import { useQuery } from '@tanstack/react-query';
import { useChange, useSeenChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { MySessionsQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const SESSIONS = ['my-sessions'];

export type Session = MySessionsQuery['mySessions'][number];

const LIST = graphql(`
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
    queryKey: SESSIONS,
    queryFn: async () => (await request(LIST)).mySessions,
  });

const END = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input) {
      id
    }
  }
`);

const END_OTHERS = graphql(`
  mutation EndOtherSessions {
    endOtherSessions {
      id
    }
  }
`);

const CHANGE_PASSWORD = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(current: $current, next: $next)
  }
`);

export const useEndSession = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(END, { input: { id } }), [SESSIONS], onSuccess);

export const useEndOtherSessions = (onSuccess: () => void) =>
  useSeenChange(() => request(END_OTHERS), [SESSIONS], onSuccess);

export const useChangePassword = (onSuccess: () => void) =>
  useChange(
    (input: { current: string; next: string }) => request(CHANGE_PASSWORD, input),
    [SESSIONS],
    onSuccess,
  );
