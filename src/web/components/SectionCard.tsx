import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** One section of a page. */
export function SectionCard({ title, description, action, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="md" p="md">
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div style={{ flex: '1 1 140px' }}>
          <Title id={id} order={2} size="h4">
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Paper>
  );
}
