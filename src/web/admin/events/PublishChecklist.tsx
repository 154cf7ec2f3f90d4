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
      title={isReady ? 'Ready to publish' : 'Before you publish it'}
    >
      {isReady ? (
        <Text size="sm">This event is a draft. Only staff who manage events can see it.</Text>
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
  /** Whether the item prevents publishing. */
  isBlocking?: boolean;
}

/** Items to review before publishing a draft. */
export function listPublishIssues(event: EventDetails, now = new Date()): ChecklistItem[] {
  const { ticketTypes, description, summary, endsAt, capacity } = event;
  const offered = ticketTypes.filter(({ active }) => active);
  const hints: (ChecklistItem | false)[] = [
    new Date(endsAt) <= now && {
      key: 'over',
      text: 'The date is in the past. Move it to a future date to publish the event.',
      isBlocking: true,
    },
    offered.length === 0 && {
      key: 'types',
      text: 'No ticket types: nobody can sign up. For free registration, add a ticket type with price 0.',
    },
    offered.length > 0 &&
      capacity === null &&
      offered.some(({ quantity }) => quantity === null) && {
        key: 'limit',
        text: 'No capacity: ticket sales are unlimited. Set a capacity if space is limited.',
      },
    !description &&
      !summary && { key: 'text', text: 'No description: tell visitors what to expect.' },
  ];
  return hints.filter((hint) => hint !== false);
}
