import { Anchor, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Location, Navigate, Outlet, useLocation } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { ADMIN_PATH, MEMBER_PATH } from '../../api/urls.ts';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { CenteredPage, PageLoader } from '../../components/PageLayout.tsx';
import { useSignOut, useViewer, type Viewer, ViewerProvider } from './viewer.ts';

/** Guards every panel page except sign-in. */
export function RequireStaff() {
  const location = useLocation();
  return (
    <RequireViewer
      kind="STAFF"
      getSignInPath={(viewer) => toSignInPath(location, viewer)}
      renderOther={(viewer) => <StaffOnlyNotice viewer={viewer} />}
    />
  );
}

/** Guards every member page except sign-in. */
export const RequireMember = () => (
  <RequireViewer
    kind="MEMBER"
    getSignInPath={() => '/sign-in'}
    renderOther={(viewer) => <MemberOnlyNotice viewer={viewer} />}
  />
);

interface RequireViewerProps {
  kind: 'STAFF' | 'MEMBER';
  getSignInPath: (viewer: Viewer) => string;
  /** Shown to viewers who are signed in with another kind of account. */
  renderOther: (viewer: Viewer) => ReactNode;
}

function RequireViewer({ kind, getSignInPath, renderOther }: RequireViewerProps) {
  const viewer = useViewer();
  if (viewer.data?.kind === kind) {
    return (
      <ViewerProvider value={viewer.data}>
        <Outlet />
      </ViewerProvider>
    );
  }
  if (viewer.data?.kind === 'ANONYMOUS') {
    return <Navigate replace to={getSignInPath(viewer.data)} />;
  }
  if (viewer.data) return renderOther(viewer.data);
  if (viewer.error) {
    return (
      <CenteredPage title="Foyer">
        <ErrorAlert error={toApiError(viewer.error)} retry={viewer.refetch} />
      </CenteredPage>
    );
  }
  return <PageLoader />;
}

const StaffOnlyNotice = ({ viewer }: { viewer: Viewer }) => (
  <CenteredPage title="Staff only">
    <Text>
      You are signed in as <b>{viewer.name ?? 'a member'}</b>, which is not a staff account. If you
      work here, ask an owner for an invitation.
      {viewer.kind === 'MEMBER' && (
        <>
          {' '}
          Members sign in on <Anchor href={MEMBER_PATH}>the member page</Anchor>.
        </>
      )}
    </Text>
    <SignOutButton />
  </CenteredPage>
);

const MemberOnlyNotice = ({ viewer }: { viewer: Viewer }) => (
  <CenteredPage title="This page is for members">
    <Text>
      You are signed in as <b>{viewer.name ?? 'staff'}</b>, a staff account. Go to the{' '}
      <Anchor href={ADMIN_PATH}>panel</Anchor>.
    </Text>
    <SignOutButton />
  </CenteredPage>
);

function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button mt="lg" onClick={() => signOut.mutate()} loading={signOut.isPending}>
      Sign out
    </Button>
  );
}

/** The path of the staff sign-in page, with the current page as return URL. */
function toSignInPath({ pathname, search }: Location, { sessionEnded }: Viewer): string {
  const returnUrl = pathname + search;
  const query = new URLSearchParams();
  if (returnUrl !== '/') query.set('next', returnUrl);
  if (sessionEnded) query.set('ended', '');
  return `/sign-in?${query}`.replace(/\?$/, '');
}

/** Accepts paths of the panel only, never external URLs. */
export function parseReturnUrl(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
