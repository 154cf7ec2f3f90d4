import { AppShell, Box, Button, Container, Group, UnstyledButton } from '@mantine/core';
import { IconCalendar, IconCreditCard, IconPlus } from '@tabler/icons-react';
import { NavLink, Outlet } from 'react-router';
import { useSignOut } from '../app/session/session-changes.ts';
import { Logo, useRouteFocus } from '../components/PageLayout.tsx';
import { getMemberText } from '../language/member-texts.ts';
import { getText } from '../language/page-texts.ts';
import classes from './MemberShell.module.css';

/** On phones, the navigation is at the bottom, within reach of the thumb. */
export function Component() {
  const main = useRouteFocus();
  const signOut = useSignOut();
  return (
    <AppShell
      header={{ height: 56 }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <UnstyledButton className="skip-link" onClick={() => main.current?.focus()}>
        {getText('page.skip')}
      </UnstyledButton>
      <AppShell.Header>
        <Container size="sm" h="100%" px={{ base: 'md', sm: 0 }}>
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Logo />
            <MemberNavigation visibleFrom="sm" />
            <Button
              variant="subtle"
              color="gray"
              px="xs"
              onClick={() => signOut.mutate()}
              loading={signOut.isPending}
            >
              {getMemberText('nav.signOut')}
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
        <MemberNavigation />
      </AppShell.Footer>
    </AppShell>
  );
}

const MEMBER_NAVIGATION = [
  { path: '/', label: 'nav.bookings', icon: IconCalendar },
  { path: '/book', label: 'nav.book', icon: IconPlus },
  { path: '/plan', label: 'nav.plan', icon: IconCreditCard },
] as const;

/** Rendered twice, in the header and the footer. CSS hides the one that does not fit the screen. */
export const MemberNavigation = (props: { visibleFrom?: 'sm' }) => (
  <Box component="nav" aria-label={getMemberText('nav.main')} className={classes.nav} {...props}>
    {MEMBER_NAVIGATION.map(({ path, label, icon: Icon }) => (
      <NavLink key={path} to={path} end={path === '/'} className={classes.link ?? ''}>
        <Icon size={20} />
        {getMemberText(label)}
      </NavLink>
    ))}
  </Box>
);
