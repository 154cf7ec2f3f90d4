import { Alert, Anchor, Text } from '@mantine/core';
import { Navigate, useSearchParams } from 'react-router';
import { MEMBERS_PATH } from '../api/urls.ts';
import { FullPage } from '../ui/FullPage.tsx';
import { PageLoader } from '../ui/PageLoader.tsx';
import { nextPlace } from './next-place.ts';
import { SignInForm } from './SignInForm.tsx';
import { useViewer } from './viewer.ts';

export function Component() {
  const [query] = useSearchParams();
  const viewer = useViewer();
  if (viewer.isPending) return <PageLoader />;
  if (viewer.data && viewer.data.kind !== 'ANONYMOUS') {
    return <Navigate replace to={nextPlace(query)} />;
  }
  return (
    <FullPage title="Sign in">
      {query.has('ended') && (
        <Alert color="blue" mb="md" title="Your session has ended">
          Sign in again to go on where you were.
        </Alert>
      )}
      <SignInForm />
      <Text size="sm" c="dimmed" mt="lg">
        No account yet? An owner of the space, or whoever runs this service, can make you one.
      </Text>
      <Text size="sm" mt="xs">
        <Anchor inherit href={`${MEMBERS_PATH}/sign-in`}>
          Members sign in here
        </Anchor>
      </Text>
    </FullPage>
  );
}
