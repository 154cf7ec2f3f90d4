import { AppShell, Button, Container, Group, UnstyledButton } from '@mantine/core';
import { Outlet } from 'react-router';
import { useSignOut } from '../session/sign-out.ts';
import { Logo } from '../ui/Logo.tsx';
import { useMainFocus } from '../ui/use-main-focus.ts';
import { MyNavigation } from './MyNavigation.tsx';

/** On a phone the navigation is at the bottom, within reach of the thumb. */
export function Component() {
  const main = useMainFocus();
  const signOut = useSignOut();
  return (
    <AppShell
      header={{ height: 56 }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <UnstyledButton className="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
      </UnstyledButton>
      <AppShell.Header>
        <Container size="sm" h="100%" px={{ base: 'md', sm: 0 }}>
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Logo />
            <MyNavigation visibleFrom="sm" />
            <Button
              variant="subtle"
              color="gray"
              px="xs"
              onClick={() => signOut.mutate()}
              loading={signOut.isPending}
            >
              Sign out
            </Button>
          </Group>
        </Container>
      </AppShell.Header>
      <AppShell.Main ref={main} tabIndex={-1}>
        <Container size="sm" p={0}>
          <Outlet />
        </Container>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <MyNavigation />
      </AppShell.Footer>
    </AppShell>
  );
}
