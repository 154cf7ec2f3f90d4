import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

interface Props {
  icon: ComponentType<{ size?: number }>;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Explains an empty page and what to do first. */
export const EmptyState = ({ icon: Icon, title, children, action }: Props) => (
  <Paper withBorder radius="md" p="xl">
    <Stack align="center" gap="sm" maw={440} mx="auto" ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
        <Icon size={26} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm">
        {children}
      </Text>
      {action}
    </Stack>
  </Paper>
);
