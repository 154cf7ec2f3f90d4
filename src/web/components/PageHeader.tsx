import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

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

export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} size="sm" display="inline-block" mb="xs">
    <Group gap={4} component="span">
      <IconChevronLeft size={16} />
      {children}
    </Group>
  </Anchor>
);
