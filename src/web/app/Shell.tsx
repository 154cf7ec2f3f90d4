import {
  AppShell,
  Badge,
  Box,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconUser } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from 'react-router';
import { useRequestCount } from '../admin/bookings/request-queries.ts';
import { navSections } from '../admin/nav.ts';
import type { NavSection } from '../admin/nav-section.ts';
import { Logo, useRouteFocus } from '../components/PageLayout.tsx';
import { useSignOut } from './session/session-changes.ts';
import { can, canOpen, formatRole, useStaffViewer } from './session/viewer.ts';

export function Component() {
  const [isOpen, navigation] = useDisclosure(false);
  const wide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const main = useRouteFocus();
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
      <AppShell.Navbar p="sm" inert={!wide && !isOpen} style={{ overflowY: 'auto' }}>
        <Navigation onNavigate={navigation.close} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const viewer = useStaffViewer();
  const sections = navSections.filter((section) => canOpen(viewer, section));
  const groups = [...new Set(sections.map(({ group }) => group))];
  return (
    <nav aria-label="Main">
      {groups.map((group) => (
        <Box key={group} mb="md">
          <Text size="xs" fw={600} c="dimmed" px="sm" mb={4}>
            {group}
          </Text>
          {sections
            .filter((section) => section.group === group)
            .map((section) => (
              <NavEntry key={section.path} section={section} onNavigate={onNavigate} />
            ))}
        </Box>
      ))}
    </nav>
  );
}

function NavEntry({ section, onNavigate }: { section: NavSection; onNavigate: () => void }) {
  const { pathname } = useLocation();
  const isHere = pathname === `/${section.path}` || pathname.startsWith(`/${section.path}/`);
  const Icon = section.icon;
  return (
    <NavLink
      component={Link}
      to={`/${section.path}`}
      label={section.label}
      leftSection={<Icon size={18} />}
      rightSection={section.path === 'bookings' && <RequestCount />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      onClick={onNavigate}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}

/** How many bookings need approval, for staff who can approve. */
function RequestCount() {
  const count = useRequestCount(can(useStaffViewer(), 'bookings:write')).data;
  if (!count || count.value === 0) return null;
  return (
    <Badge size="sm" circle={count.value < 10} aria-label={`${count.text} need approval`}>
      {count.text}
    </Badge>
  );
}

export function UserMenu() {
  const viewer = useStaffViewer();
  const signOut = useSignOut();
  return (
    <Menu
      position="bottom-end"
      width={200}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          rightSection={<IconChevronDown size={18} />}
          maw={220}
          px="xs"
          flex="none"
          aria-label={viewer.name ?? undefined}
        >
          <Text span inherit truncate visibleFrom="xs">
            {viewer.name}
          </Text>
          <Box component={IconUser} size={20} hiddenFrom="xs" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label hiddenFrom="xs">{viewer.name}</Menu.Label>
        <Menu.Item
          component={Link}
          to="/account"
          rightSection={
            <Text size="xs" c="dimmed">
              {formatRole(viewer.role)}
            </Text>
          }
        >
          Your account
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()} disabled={signOut.isPending}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
