import { Button, Group, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { serviceUrl } from '../../api/urls.ts';
import { may, useStaff } from '../../session/viewer.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { spanIn, zoneWords } from '../../ui/place-words.ts';
import { DiscountCodes } from './discounts/DiscountCodes.tsx';
import { EventActions } from './EventActions.tsx';
import { EventFacts } from './EventFacts.tsx';
import { EventOrders } from './EventOrders.tsx';
import { useEvent } from './event-queries.ts';
import { StillMissing } from './StillMissing.tsx';
import { SuspiciousHolds } from './SuspiciousHolds.tsx';
import { TicketTypes } from './tickets/TicketTypes.tsx';
import { Waitlist } from './Waitlist.tsx';

export function EventPage() {
  const { eventId = '' } = useParams();
  const viewer = useStaff();
  const mayChange = may(viewer, 'events:write');
  const event = useEvent(eventId);
  return (
    <>
      <BackLink to="/events">All events</BackLink>
      <Loaded query={event} height={400}>
        {(event) => {
          const mayEdit = mayChange && event.status !== 'CANCELLED';
          return (
            <>
              <PageHeader
                title={event.title}
                description={`${spanIn(event.startsAt, event.endsAt, event.timeZone)}, ${zoneWords(event.timeZone)}`}
                action={
                  <Group gap="sm">
                    {event.status === 'PUBLISHED' && <PublicPage slug={event.slug} />}
                    {mayEdit && <EventActions event={event} />}
                  </Group>
                }
              />
              <Stack>
                {event.status === 'DRAFT' && <StillMissing event={event} />}
                <EventFacts event={event} mayChange={mayEdit} />
                <TicketTypes event={event} mayChange={mayEdit} />
                {may(viewer, 'orders:read') && (
                  <>
                    <DiscountCodes event={event} timeZone={event.timeZone} mayChange={mayEdit} />
                    <SuspiciousHolds event={event} mayRelease={may(viewer, 'orders:write')} />
                    <Waitlist event={event} />
                    <EventOrders event={event} />
                  </>
                )}
              </Stack>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const PublicPage = ({ slug }: { slug: string }) => (
  <Button
    component="a"
    variant="default"
    href={serviceUrl(`events/${slug}`)}
    target="_blank"
    rel="noreferrer"
  >
    Public page
  </Button>
);
