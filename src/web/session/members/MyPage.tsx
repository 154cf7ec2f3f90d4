import { Button, Text } from '@mantine/core';
import { FullPage } from '../../ui/FullPage.tsx';
import { useSignOut } from '../sign-out.ts';
import { useSignedIn } from '../viewer.ts';

export function Component() {
  const { name } = useSignedIn();
  const signOut = useSignOut();
  return (
    <FullPage title="Your space">
      <Text>
        You are signed in as <b>{name}</b>.
      </Text>
      <Button
        mt="lg"
        variant="default"
        onClick={() => signOut.mutate()}
        loading={signOut.isPending}
      >
        Sign out
      </Button>
    </FullPage>
  );
}
