import { Center, Group, Loader, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './Logo.tsx';

/** A small centred page without navigation. */
export function CenteredPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>{`${title} · Foyer`}</title>
      <Paper withBorder shadow="sm" radius="md" p="xl" w="100%" maw={420}>
        <Group mb="lg">
          <Logo />
        </Group>
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </Center>
  );
}

export const PageLoader = () => (
  <Center mih="60dvh" role="status" aria-label="Loading">
    <Loader />
  </Center>
);
