import { Anchor, Button, Group, Text } from '@mantine/core';
import { Navigate, Outlet } from 'react-router';
import { asApiError } from '../../api/errors.ts';
import { PANEL_PATH } from '../../api/urls.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FullPage } from '../../ui/FullPage.tsx';
import { PageLoader } from '../../ui/PageLoader.tsx';
import { useSignOut } from '../sign-out.ts';
import { useViewer, type Viewer, ViewerProvider } from '../viewer.ts';

/** Every page for members but their sign-in stands below this. */
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
  if (viewer.data) return <NotMember viewer={viewer.data} />;
  if (viewer.error) {
    return (
      <FullPage title="Foyer">
        <ErrorState error={asApiError(viewer.error)} retry={viewer.refetch} />
      </FullPage>
    );
  }
  return <PageLoader />;
}

function NotMember({ viewer }: { viewer: Viewer }) {
  const signOut = useSignOut();
  return (
    <FullPage title="This page is for members">
      <Text>
        You are signed in as <b>{viewer.name ?? 'somebody'}</b>, who is on the staff. Your place is
        the <Anchor href={PANEL_PATH}>panel</Anchor>.
      </Text>
      <Group mt="lg">
        <Button onClick={() => signOut.mutate()} loading={signOut.isPending}>
          Sign out and use a link
        </Button>
      </Group>
    </FullPage>
  );
}
