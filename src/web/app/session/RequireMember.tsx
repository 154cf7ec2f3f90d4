import { Anchor, Button, Group, Text } from '@mantine/core';
import { Navigate, Outlet } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { ADMIN_PATH } from '../../api/urls.ts';
import { CenteredPage, PageLoader } from '../../components/CenteredPage.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { useSignOut, useViewer, type Viewer, ViewerProvider } from './viewer.ts';

/** Guards every member page except sign-in. */
export function Component() {
  const viewer = useViewer();
  if (viewer.data?.kind === 'MEMBER') {
    return (
      <ViewerProvider value={viewer.data}>
        <Outlet />
      </ViewerProvider>
    );
  }
  if (viewer.data?.kind === 'ANONYMOUS') return <Navigate replace to="/sign-in" />;
  if (viewer.data) return <MemberOnlyNotice viewer={viewer.data} />;
  if (viewer.error) {
    return (
      <CenteredPage title="Foyer">
        <ErrorAlert error={toApiError(viewer.error)} retry={viewer.refetch} />
      </CenteredPage>
    );
  }
  return <PageLoader />;
}

function MemberOnlyNotice({ viewer }: { viewer: Viewer }) {
  const signOut = useSignOut();
  return (
    <CenteredPage title="This page is for members">
      <Text>
        You are signed in as <b>{viewer.name ?? 'staff'}</b>, a staff account. Go to the{' '}
        <Anchor href={ADMIN_PATH}>panel</Anchor>.
      </Text>
      <Group mt="lg">
        <Button onClick={() => signOut.mutate()} loading={signOut.isPending}>
          Sign out
        </Button>
      </Group>
    </CenteredPage>
  );
}
