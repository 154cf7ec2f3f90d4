import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import type { ViewerQuery } from '../gql/graphql.ts';
import { graphql } from '../gql/index.ts';

const VIEWER = graphql(`
  query Viewer {
    viewer {
      kind
      name
      role
      scopes
    }
  }
`);

export interface Viewer extends Readonly<ViewerQuery['viewer']> {
  /** There was a session, and it ended without the person's doing. */
  sessionEnded: boolean;
}

const viewerQuery = queryOptions<Viewer>({
  queryKey: ['viewer'],
  queryFn: async () => ({ ...(await request(VIEWER)).viewer, sessionEnded: false }),
  staleTime: 60_000,
});

export const useViewer = () => useQuery(viewerQuery);

const nobody = { kind: 'ANONYMOUS', name: null, role: null, scopes: [] } as const;

export function endSession(client: QueryClient, { sessionEnded } = { sessionEnded: true }) {
  client.setQueryData(viewerQuery.queryKey, { ...nobody, scopes: [], sessionEnded });
}

/** What was read for one person is not for the next. */
export async function beginSession(client: QueryClient) {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== viewerQuery.queryKey[0] });
  const { kind } = await client.fetchQuery({ ...viewerQuery, staleTime: 0 });
  if (kind === 'ANONYMOUS') throw cookieRefused();
}

const cookieRefused = () =>
  new ApiError(
    'COOKIE_REFUSED',
    'You were let in, but this browser did not keep the session. Allow cookies for this address, and open the page at the address the service is configured with, over https if it says so.',
  );

const ViewerContext = createContext<Viewer | null>(null);
export const ViewerProvider = ViewerContext.Provider;

/** Who is signed in; only below RequireStaff or RequireMember. */
export function useSignedIn(): Viewer {
  const viewer = use(ViewerContext);
  if (viewer === null) throw new Error('useSignedIn stands where anybody may be');
  return viewer;
}

export const useStaff = useSignedIn;

export const may = (viewer: Viewer, scope: string) =>
  viewer.scopes.includes('*') || viewer.scopes.includes(scope);

export const ownsSpace = ({ role }: Viewer) => role === 'OWNER';

export const managesSpace = ({ role }: Viewer) => role === 'OWNER' || role === 'MANAGER';
