import { Alert, Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { formatLongTimeRange } from '../../../core/time/format.ts';
import { useNow } from '../../components/browser-time.tsx';
import { BackLink, DescriptionList } from '../../components/PageLayout.tsx';
import { QueryOrNotFound } from '../../components/QueryBoundary.tsx';
import { LinkNotFound } from '../LinkNotFound.tsx';
import { type OfferedEvent, usePublicEvent } from './queries.ts';
import { TicketSales } from './TicketSales.tsx';

export function Component() {
  const { slug = '' } = useParams();
  const event = usePublicEvent(slug);
  return (
    <>
      <BackLink to="/events">All events</BackLink>
      <QueryOrNotFound query={event} height={420} notFound={<EventNotFound />}>
        {(event) => <PublicEventDetails key={event.id} event={event} />}
      </QueryOrNotFound>
    </>
  );
}

function PublicEventDetails({ event }: { event: OfferedEvent }) {
  const { title, summary, description, startsAt, endsAt, timeZone, location, resource } = event;
  const isForMembers = event.visibility === 'MEMBERS';
  const isOver = new Date(endsAt) <= useNow(30);
  return (
    <Stack gap="lg">
      <Box component="header">
        <title>{`${title} · Foyer`}</title>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {summary && (
          <Text size="lg" mt={4}>
            {summary}
          </Text>
        )}
        {(event.tags.length > 0 || isForMembers) && (
          <Group gap={6} mt="xs">
            {isForMembers && <Badge variant="light">Members only</Badge>}
            {event.tags.map((tag) => (
              <Badge key={tag} variant="default">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
      </Box>
      {event.status === 'CANCELLED' && (
        <Alert color="red" role="status" title="This event has been cancelled">
          {event.cancelReason ?? 'We’ve emailed everyone who has a ticket.'}
        </Alert>
      )}
      <DescriptionList
        items={[
          // With the zone, since people who are elsewhere read this page too, also without scripts.
          ['When', formatLongTimeRange(startsAt, endsAt, timeZone)],
          ['Where', [location.name, resource?.name, location.address].filter(Boolean).join(', ')],
        ]}
      />
      {description && (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{description}</Text>
      )}
      {event.status === 'PUBLISHED' && (isOver ? <EventEnded /> : <TicketSales event={event} />)}
    </Stack>
  );
}

const EventEnded = () => (
  <Alert color="gray" role="status" title="This event is over">
    Take a look at our upcoming events.
  </Alert>
);

const EventNotFound = () => (
  <LinkNotFound
    title="Event not found"
    description="There’s no event at this address."
    question="Looking for another event?"
  />
);
