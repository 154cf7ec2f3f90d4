import { Text } from '@mantine/core';
import type { Attempt } from './queries.ts';
import { SUBJECTS } from './result-words.ts';

export const Who = ({ attempt: { label, subject } }: { attempt: Attempt }) => (
  <>
    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
      {label ?? 'Unknown'}
    </Text>
    {subject && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[SUBJECTS[subject.type], subject.title].filter(Boolean).join(': ')}
      </Text>
    )}
  </>
);
