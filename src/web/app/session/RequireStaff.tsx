import { Anchor, Button, Text } from '@mantine/core';
import { Navigate, Outlet, useLocation } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { MEMBER_PATH } from '../../api/urls.ts';
import { CenteredPage, PageLoader } from '../../components/CenteredPage.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { toSignInPath } from './return-url.ts';
import { useSignOut, useViewer, type Viewer, ViewerProvider } from './viewer.ts';

/** Guards every panel page except sign-in. */
export function RequireStaff() {
  const location = useLocation();
  const viewer = useViewer();
  if (viewer.data?.kind === 'STAFF') {
    return (
      <ViewerProvider value={viewer.data}>
        <Outlet />
      </ViewerProvider>
    );
  }
  if (viewer.data?.kind === 'ANONYMOUS') {
    return <Navigate replace to={toSignInPath(location, viewer.data)} />;
  }
  if (viewer.data) return <StaffOnlyNotice viewer={viewer.data} />;
  if (viewer.error) {
    return (
      <CenteredPage title="Foyer">
        <ErrorAlert error={toApiError(viewer.error)} retry={viewer.refetch} />
      </CenteredPage>
    );
  }
  return <PageLoader />;
}

function StaffOnlyNotice({ viewer }: { viewer: Viewer }) {
  const signOut = useSignOut();
  return (
    <CenteredPage title="Staff only">
      <Text>
        You are signed in as <b>{viewer.name ?? 'a member'}</b>, which is not a staff account. If
        you work here, ask an owner for an invitation.
        {viewer.kind === 'MEMBER' && (
          <>
            {' '}
            Members use <Anchor href={MEMBER_PATH}>the member page</Anchor>.
          </>
        )}
      </Text>
      <Button mt="lg" onClick={() => signOut.mutate()} loading={signOut.isPending}>
        Sign out
      </Button>
    </CenteredPage>
  );
}
