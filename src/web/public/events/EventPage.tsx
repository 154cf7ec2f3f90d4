import { Alert, Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { useNow } from '../../components/browser-time.tsx';
import { BackLink, DescriptionList } from '../../components/PageLayout.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { QueryOrNotFound } from '../../components/QueryBoundary.tsx';
import { formatLongTimeRange } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import { LinkNotFound } from '../LinkNotFound.tsx';
import { type OfferedEvent, usePublicEvent } from './queries.ts';
import { TicketSales } from './TicketSales.tsx';

export function Component() {
  const { slug = '' } = useParams();
  const event = usePublicEvent(slug);
  return (
    <>
      <BackLink to="/events">{getText('event.all')}</BackLink>
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
        <PageTitle>{title}</PageTitle>
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
            {isForMembers && <Badge variant="light">{getText('event.membersOnly')}</Badge>}
            {event.tags.map((tag) => (
              <Badge key={tag} variant="default">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
      </Box>
      {event.status === 'CANCELLED' && (
        <Alert color="red" role="status" title={getText('event.cancelled')}>
          {event.cancelReason ?? getText('event.cancelledHelp')}
        </Alert>
      )}
      <DescriptionList
        items={[
          // With the zone, since people who are elsewhere read this page too, also without scripts.
          [getText('event.when'), formatLongTimeRange(startsAt, endsAt, timeZone)],
          [
            getText('event.where'),
            [location.name, resource?.name, location.address].filter(Boolean).join(', '),
          ],
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
  <Alert color="gray" role="status" title={getText('event.over')}>
    {getText('event.overHelp')}
  </Alert>
);

const EventNotFound = () => (
  <LinkNotFound
    title={getText('event.notFound')}
    description={getText('event.notFoundHelp')}
    question={getText('event.lookingForOther')}
  />
);
