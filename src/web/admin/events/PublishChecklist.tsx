import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { EventDetails } from './event-page-query.ts';

export function PublishChecklist({ event }: { event: EventDetails }) {
  const issues = listPublishIssues(event);
  const isReady = issues.length === 0;
  return (
    <Alert
      color={isReady ? 'teal' : 'indigo'}
      icon={isReady ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
      title={isReady ? 'Ready to publish' : 'Before you publish'}
    >
      {isReady ? (
        <Text size="sm">This event is a draft. Only staff who manage events can see it.</Text>
      ) : (
        <List size="sm" spacing={4}>
          {issues.map(({ key, text }) => (
            <List.Item key={key}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

interface PublishIssue {
  key: string;
  text: string;
}

/** What to fix or check before publishing a draft. */
function listPublishIssues(event: EventDetails, now = new Date()): PublishIssue[] {
  const { ticketTypes, description, summary, endsAt, capacity } = event;
  const onSale = ticketTypes.filter(({ active }) => active);
  const issues: (PublishIssue | false)[] = [
    new Date(endsAt) <= now && {
      key: 'over',
      text: 'The date is in the past. Move it to a future date to publish the event.',
    },
    onSale.length === 0 && {
      key: 'types',
      text: 'No ticket types: no one can sign up. For free registration, add a ticket type with price 0.',
    },
    onSale.length > 0 &&
      capacity === null &&
      onSale.some(({ quantity }) => quantity === null) && {
        key: 'limit',
        text: 'No capacity: ticket sales are unlimited. Set a capacity if space is limited.',
      },
    !description &&
      !summary && { key: 'text', text: 'No description: tell visitors what to expect.' },
  ];
  return issues.filter((issue) => issue !== false);
}
