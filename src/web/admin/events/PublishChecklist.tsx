import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { EventDetails } from './queries.ts';

export function PublishChecklist({ event }: { event: EventDetails }) {
  const missing = listPublishIssues(event);
  const isReady = missing.length === 0;
  return (
    <Alert
      color={isReady ? 'teal' : 'indigo'}
      icon={isReady ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
      title={isReady ? 'Ready to be published' : 'Before you publish it'}
    >
      {isReady ? (
        <Text size="sm">It is a draft: only those who look after the events see it.</Text>
      ) : (
        <List size="sm" spacing={4}>
          {missing.map(({ key, text }) => (
            <List.Item key={key}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

interface ChecklistItem {
  key: string;
  text: string;
  /** It cannot be published before. */
  isBlocking?: boolean;
}

/** What one would want to see to before a draft is published. */
export function listPublishIssues(event: EventDetails, now = new Date()): ChecklistItem[] {
  const { ticketTypes, description, summary, endsAt, capacity } = event;
  const offered = ticketTypes.filter(({ active }) => active);
  const hints: (ChecklistItem | false)[] = [
    new Date(endsAt) <= now && {
      key: 'over',
      text: 'Its time is over. Move it to a time to come: only then can it be published.',
      isBlocking: true,
    },
    offered.length === 0 && {
      key: 'types',
      text: 'No ticket types: published like this it is an announcement, and nobody can sign up. A ticket type without a price is a registration.',
    },
    offered.length > 0 &&
      capacity === null &&
      offered.some(({ quantity }) => quantity === null) && {
        key: 'limit',
        text: 'No limit: as many tickets are sold as people like. Set a capacity if space is short.',
      },
    !description &&
      !summary && { key: 'text', text: 'No announcement: say in a few words what happens.' },
  ];
  return hints.filter((hint) => hint !== false);
}
