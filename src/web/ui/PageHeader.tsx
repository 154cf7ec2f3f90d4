import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  description: string;
  action?: ReactNode;
}

export const PageHeader = ({ title, description, action }: Props) => (
  <Group justify="space-between" align="flex-start" mb="lg" gap="md">
    <title>{`${title} · Foyer`}</title>
    <Box flex="1 1 280px" maw={640}>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed" size="sm" mt={4}>
        {description}
      </Text>
    </Box>
    {action}
  </Group>
);
