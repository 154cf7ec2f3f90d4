import { Alert, Badge, Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { BackLink } from '../../ui/BackLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { IconCalendar } from '../../ui/icons.tsx';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { useNow } from '../../ui/use-now.ts';
import { LoadedOrMissing } from '../LoadedOrMissing.tsx';
import { zoneNote } from '../zone-note.ts';
import { Tickets } from './order/Tickets.tsx';
import { type OfferedEvent, useEvent } from './queries.ts';

export function Component() {
  const { slug = '' } = useParams();
  const event = useEvent(slug);
  return (
    <>
      <BackLink to="/events">All events</BackLink>
      <LoadedOrMissing query={event} height={420} missing={<Missing />}>
        {(event) => <About key={event.id} event={event} />}
      </LoadedOrMissing>
    </>
  );
}

function About({ event }: { event: OfferedEvent }) {
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
        <Alert color="red" role="status" title="This event is cancelled">
          {event.cancelReason ??
            'It does not take place. Whoever has tickets has been told by mail.'}
        </Alert>
      )}
      <Facts
        of={[
          ['When', `${exactSpanIn(startsAt, endsAt, timeZone)}${zoneNote(startsAt, timeZone)}`],
          ['Where', [location.name, resource?.name, location.address].filter(Boolean).join(', ')],
        ]}
      />
      {description && (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{description}</Text>
      )}
      {event.status === 'PUBLISHED' && (isOver ? <Over /> : <Tickets event={event} />)}
    </Stack>
  );
}

const Over = () => (
  <Alert color="gray" role="status" title="This event is over">
    See what else is coming.
  </Alert>
);

const Missing = () => (
  <EmptyState
    icon={IconCalendar}
    title="This event is not there"
    action={
      <Button component={Link} to="/events">
        See what is coming
      </Button>
    }
  >
    The link may be wrong, or the event is for members, who see it once they have signed in.
  </EmptyState>
);
