import { Code, Group, Text } from '@mantine/core';
import { IconAlert } from '../../ui/icons.tsx';
import { useNow } from '../../ui/use-now.ts';
import { nudgeFor } from './key-state.ts';
import type { ApiKey } from './queries.ts';

export function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const nudge = nudgeFor(apiKey, useNow(60));
  return (
    <>
      <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {apiKey.name}
      </Text>
      <Code bg="transparent" p={0} c="dimmed">
        {apiKey.prefix}…
      </Code>
      {nudge && (
        <Group gap={6} wrap="nowrap" align="flex-start" mt={4} c="var(--foyer-warning)">
          <span>
            <IconAlert size={14} />
          </span>
          <Text size="xs">{nudge}</Text>
        </Group>
      )}
    </>
  );
}
