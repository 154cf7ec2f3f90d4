import { AppShell, Burger, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Outlet } from 'react-router';
import { Logo } from '../ui/Logo.tsx';
import { useMainFocus } from '../ui/use-main-focus.ts';
import { Navigation } from './Navigation.tsx';
import { UserMenu } from './UserMenu.tsx';

export function Component() {
  const [isOpen, navigation] = useDisclosure(false);
  const wide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const main = useMainFocus();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <UnstyledButton className="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
      </UnstyledButton>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
              aria-expanded={isOpen}
            />
            <Logo />
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" inert={!wide && !isOpen}>
        <Navigation onNavigate={navigation.close} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
