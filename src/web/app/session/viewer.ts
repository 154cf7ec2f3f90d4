import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import { notifyFailure } from '../../components/notify.ts';
import type { StaffRole, ViewerQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const VIEWER_QUERY = graphql(`
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
  /** Whether a session ended without a sign-out, for example because it expired. */
  sessionEnded: boolean;
}

const viewerQueryOptions = queryOptions<Viewer>({
  queryKey: ['viewer'],
  queryFn: async () => ({ ...(await request(VIEWER_QUERY)).viewer, sessionEnded: false }),
  staleTime: 60_000,
});

export const useViewer = () => useQuery(viewerQueryOptions);

const ANONYMOUS_VIEWER = { kind: 'ANONYMOUS', name: null, role: null, scopes: [] } as const;

export function endSession(client: QueryClient, { sessionEnded } = { sessionEnded: true }) {
  client.setQueryData(viewerQueryOptions.queryKey, {
    ...ANONYMOUS_VIEWER,
    scopes: [],
    sessionEnded,
  });
}

/** Call after sign-in. Removes cached data of the previous viewer. */
export async function beginSession(client: QueryClient) {
  client.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== viewerQueryOptions.queryKey[0],
  });
  const { kind } = await client.fetchQuery({ ...viewerQueryOptions, staleTime: 0 });
  if (kind === 'ANONYMOUS') throw createCookieError();
}

const createCookieError = () =>
  new ApiError(
    'COOKIE_REJECTED',
    'You signed in, but the browser did not save the session. Allow cookies for this site, and open it at its configured URL, including https.',
  );

const ViewerContext = createContext<Viewer | null>(null);
export const ViewerProvider = ViewerContext.Provider;

/** The signed-in viewer of a panel page. */
export function useStaffViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (viewer === null) throw new Error('useStaffViewer needs RequireStaff above it');
  return viewer;
}

export const can = (viewer: Viewer, scope: string) =>
  viewer.scopes.includes('*') || viewer.scopes.includes(scope);

export const isSpaceOwner = ({ role }: Viewer) => role === 'OWNER';

export const isSpaceManager = ({ role }: Viewer) => role === 'OWNER' || role === 'MANAGER';

/** What a section of the panel needs: a scope, or the role of an owner or manager. */
export type SectionAccess = `${string}:read` | 'managers';

/** Whether the viewer can open a section. The navigation, its pages and links to them depend on it. */
export const canOpen = (viewer: Viewer, { access }: { access: SectionAccess }) =>
  access === 'managers' ? isSpaceManager(viewer) : can(viewer, access);

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
    onSuccess: () => endSession(client, { sessionEnded: false }),
    onError: (error) => notifyFailure('Could not sign out', error),
  });
}

const ROLE_LABELS: Record<StaffRole, string> = {
  OWNER: 'owner',
  MANAGER: 'manager',
  FRONT_DESK: 'front desk',
};

export const formatRole = (role: StaffRole | null) => (role === null ? 'staff' : ROLE_LABELS[role]);
