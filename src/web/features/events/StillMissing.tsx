import { Alert, List, Text } from '@mantine/core';
import { IconAlert, IconCheck } from '../../ui/icons.tsx';
import type { EventDetails } from './event-queries.ts';
import { missingOf } from './missing.ts';

export function StillMissing({ event }: { event: EventDetails }) {
  const missing = missingOf(event);
  const isReady = missing.length === 0;
  return (
    <Alert
      color={isReady ? 'teal' : 'indigo'}
      icon={isReady ? <IconCheck /> : <IconAlert />}
      title={isReady ? 'Ready to be published' : 'Before you publish it'}
    >
      {isReady ? (
        <Text size="sm">It is a draft: only those who look after the events see it.</Text>
      ) : (
        <List size="sm" spacing={4}>
          {missing.map(({ key, words }) => (
            <List.Item key={key}>{words}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
