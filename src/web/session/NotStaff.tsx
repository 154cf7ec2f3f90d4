import { Anchor, Button, Text } from '@mantine/core';
import { MEMBERS_PATH } from '../api/urls.ts';
import { FullPage } from '../ui/FullPage.tsx';
import { useSignOut } from './sign-out.ts';
import type { Viewer } from './viewer.ts';

export function NotStaff({ viewer }: { viewer: Viewer }) {
  const signOut = useSignOut();
  return (
    <FullPage title="This panel is for staff">
      <Text>
        You are signed in as <b>{viewer.name ?? 'somebody'}</b>, and this account is not a staff
        account. If you work here, ask an owner of the space for one.
        {viewer.kind === 'MEMBER' && (
          <>
            {' '}
            Members have <Anchor href={MEMBERS_PATH}>a page of their own</Anchor>.
          </>
        )}
      </Text>
      <Button mt="lg" onClick={() => signOut.mutate()} loading={signOut.isPending}>
        Sign out and use another account
      </Button>
    </FullPage>
  );
}
