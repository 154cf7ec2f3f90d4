import { Box, NavLink, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { sections } from '../features/index.ts';
import type { Section } from './section.ts';

const groups = [...new Set(sections.map(({ group }) => group))];

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
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
              <Entry key={section.path} section={section} onNavigate={onNavigate} />
            ))}
        </Box>
      ))}
    </nav>
  );
}

function Entry({ section, onNavigate }: { section: Section; onNavigate: () => void }) {
  const { pathname } = useLocation();
  const isHere = pathname === `/${section.path}` || pathname.startsWith(`/${section.path}/`);
  const Icon = section.icon;
  return (
    <NavLink
      component={Link}
      to={`/${section.path}`}
      label={section.label}
      leftSection={<Icon />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      onClick={onNavigate}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
