import { Anchor, Box, Container, Group, Text, UnstyledButton } from '@mantine/core';
import { NavLink, Outlet } from 'react-router';
import { MEMBER_PATH } from '../api/urls.ts';
import { useViewer } from '../app/session/viewer.ts';
import { Logo, useRouteFocus } from '../components/PageLayout.tsx';
import { getText } from '../language/page-texts.ts';
import classes from './PublicShell.module.css';

const PUBLIC_NAVIGATION = [
  ['/events', 'page.events'],
  ['/day-passes', 'page.dayPasses'],
  ['/orders', 'page.myOrders'],
] as const;

/** The header scrolls with the page, so that a ticket can fill the screen. It is not printed. */
export function Component() {
  const main = useRouteFocus();
  return (
    <Box className={classes.page ?? ''}>
      <UnstyledButton className="skip-link" onClick={() => main.current?.focus()}>
        {getText('page.skip')}
      </UnstyledButton>
      <header className={classes.header}>
        <Container size="sm" px="md">
          <Group justify="space-between" gap="xs" py={8}>
            <Logo />
            <nav aria-label={getText('page.navigation')} className={classes.nav}>
              {PUBLIC_NAVIGATION.map(([path, label]) => (
                <NavLink key={path} to={path} className={classes.link ?? ''}>
                  {getText(label)}
                </NavLink>
              ))}
            </nav>
          </Group>
        </Container>
      </header>
      <main ref={main} tabIndex={-1} className={classes.main}>
        <Container size="sm" px="md">
          <Outlet />
        </Container>
      </main>
      <footer className={classes.footer}>
        <Container size="sm" px="md">
          <MemberLink />
        </Container>
      </footer>
    </Box>
  );
}

function MemberLink() {
  const { data: viewer } = useViewer();
  const isMember = viewer?.kind === 'MEMBER';
  return (
    <Text size="sm" c="dimmed">
      {isMember
        ? getText('page.signedInAs', { name: viewer.name ?? getText('page.aMember') })
        : getText('page.alreadyMember')}{' '}
      <Anchor inherit underline="always" href={isMember ? MEMBER_PATH : `${MEMBER_PATH}/sign-in`}>
        {getText(isMember ? 'page.yourBookings' : 'page.signIn')}
      </Anchor>
    </Text>
  );
}
