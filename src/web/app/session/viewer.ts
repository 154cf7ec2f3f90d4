import { type Query, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { request } from '../../api/request.ts';
import type { StaffRole, ViewerQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const VIEWER_QUERY = graphql(`
  query Viewer {
    viewer {
      kind
      callerId
      name
      role
      scopes
    }
  }
`);

export interface Viewer extends Readonly<ViewerQuery['viewer']> {
  /** Whose session ended without a sign-out, for example because it expired. */
  endedSession: Viewer | null;
}

const VIEWER_KEY = ['viewer'];

const viewerQueryOptions = queryOptions<Viewer>({
  queryKey: VIEWER_KEY,
  queryFn: ({ client }) => loadViewer(client),
  staleTime: 60_000,
  // Members sign in again in another tab, which the emailed link opens.
  refetchOnWindowFocus: ({ state }) => (state.data?.endedSession ? 'always' : true),
});

export const useViewer = () => useQuery(viewerQueryOptions);

async function loadViewer(client: QueryClient): Promise<Viewer> {
  const { viewer } = await request(VIEWER_QUERY);
  const before = findSignedIn(client);
  if (viewer.kind === 'ANONYMOUS') return { ...viewer, endedSession: before };
  const isSame = before?.kind === viewer.kind && before.callerId === viewer.callerId;
  const isFirst = client.getQueryData(VIEWER_KEY) === undefined;
  // The cache contains what the previous viewer could read. What the page shows is loaded again.
  if (!isSame && !isFirst) void client.resetQueries({ predicate: isNotViewer });
  return { ...viewer, endedSession: null };
}

const isNotViewer = ({ queryKey }: Query) => queryKey[0] !== VIEWER_KEY[0];

/** Who is signed in, or was until the session ended without a sign-out. */
function findSignedIn(client: QueryClient): Viewer | null {
  const viewer = client.getQueryData<Viewer>(VIEWER_KEY);
  return viewer?.kind === 'ANONYMOUS' ? viewer.endedSession : (viewer ?? null);
}

/** Loads who is signed in after a sign-in, then what the page shows. Returns false if the browser has not saved the session. */
export async function loadSignedInViewer(client: QueryClient): Promise<boolean> {
  const { kind } = await client.fetchQuery({ ...viewerQueryOptions, staleTime: 0 });
  if (kind === 'ANONYMOUS') return false;
  void client.invalidateQueries({ predicate: isNotViewer });
  return true;
}

const ANONYMOUS_VIEWER = { kind: 'ANONYMOUS', callerId: null, name: null, role: null } as const;

/** Call when the service says that the session has ended. The page stays, so that nothing typed is lost. */
export const expireSession = (client: QueryClient) =>
  setAnonymous(client, { endedSession: findSignedIn(client) });

/** Call after sign-out. */
export const forgetViewer = (client: QueryClient) => setAnonymous(client, { endedSession: null });

const setAnonymous = (client: QueryClient, { endedSession }: Pick<Viewer, 'endedSession'>) =>
  client.setQueryData(viewerQueryOptions.queryKey, {
    ...ANONYMOUS_VIEWER,
    scopes: [],
    endedSession,
  });

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

const ROLE_LABELS: Record<StaffRole, string> = {
  OWNER: 'owner',
  MANAGER: 'manager',
  FRONT_DESK: 'front desk',
};

export const formatRole = (role: StaffRole | null) => (role === null ? 'staff' : ROLE_LABELS[role]);
