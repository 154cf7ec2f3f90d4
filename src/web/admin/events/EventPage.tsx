import { Anchor, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { EventVisibility } from '../../gql/graphql.ts';
import { DiscountCodes } from '../discounts/DiscountCodes.tsx';
import { useLocationChoices } from '../spaces/location-queries.ts';
import { EventActions } from './EventActions.tsx';
import { EventForm } from './EventForm.tsx';
import { EventCheckIns, EventSales, EventWaitlist } from './EventRelations.tsx';
import { EventStatusBadge, SalesProgress } from './EventsTable.tsx';
import { EVENT_VISIBILITY_OPTIONS } from './event-form-values.ts';
import { type EventDetails, useEvent } from './event-page-query.ts';
import { PublishChecklist } from './PublishChecklist.tsx';
import { SuspiciousHolds } from './SuspiciousHolds.tsx';
import { TicketTypes } from './TicketTypes.tsx';

export function EventPage() {
  const { eventId = '' } = useParams();
  const viewer = useStaffViewer();
  const event = useEvent(eventId);
  return (
    <>
      <BackLink to="/events">All events</BackLink>
      <QueryBoundary query={event} height={400}>
        {({ event, suspiciousHolds, discountCodes }) => (
          <>
            <PageHeader
              title={event.title}
              description={`${formatLocalDateTimeRange(event.startsAt, event.endsAt, event.timeZone)}, ${formatTimeZone(event.timeZone)}`}
              action={
                <Group gap="sm">
                  {event.status === 'PUBLISHED' && <PublicPageLink slug={event.slug} />}
                  {event.status === 'PUBLISHED' && can(viewer, 'mailings:write') && (
                    <Button
                      component={Link}
                      to={`/mailings/new?eventId=${event.id}`}
                      variant="default"
                    >
                      Email attendees
                    </Button>
                  )}
                  <EventActions event={event} />
                </Group>
              }
            />
            <Stack>
              {event.status === 'DRAFT' && <PublishChecklist event={event} />}
              <EventDetailsCard event={event} />
              <TicketTypes event={event} />
              {suspiciousHolds && (
                <SuspiciousHolds
                  event={event}
                  holds={suspiciousHolds}
                  canRelease={can(viewer, 'orders:write')}
                />
              )}
              <EventSales event={event} />
              <EventCheckIns event={event} />
              <EventWaitlist event={event} />
              {discountCodes && (
                <DiscountCodes
                  event={event}
                  codes={discountCodes}
                  timeZone={event.timeZone}
                  canChange={event.allowedActions.update}
                />
              )}
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const PublicPageLink = ({ slug }: { slug: string }) => (
  <Button
    component="a"
    variant="default"
    href={toServiceUrl(`events/${slug}`)}
    target="_blank"
    rel="noreferrer"
  >
    Public page
  </Button>
);

function EventDetailsCard({ event }: { event: EventDetails }) {
  const editing = useDialog();
  const { status, location, resource, publishedAt, cancelledAt, reservedCount, capacity } = event;
  return (
    <SectionCard
      title="Details"
      action={
        event.allowedActions.update && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit event
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ['Status', <EventStatusBadge key="status" event={event} />],
          [
            'Cancelled',
            cancelledAt && <DateTime key="cancelled" at={cancelledAt} format="since" />,
          ],
          ['Reason', event.cancelReason],
          [
            'Published',
            status !== 'CANCELLED' && publishedAt ? (
              <DateTime key="published" at={publishedAt} format="since" />
            ) : null,
          ],
          ['Location', <EventPlace key="location" location={location} resource={resource} />],
          ['Visibility', formatAudience(event.visibility)],
          ['Tickets sold', <SalesProgress key="sold" sold={reservedCount ?? 0} limit={capacity} />],
          ['Refunds', formatRefundDeadline(event.refundHours)],
          ['Tags', event.tags.length > 0 ? <EventTags key="tags" tags={event.tags} /> : null],
          ['Short summary', event.summary],
          ['Description', event.description && <LongText key="text" text={event.description} />],
          ['Short name', <Code key="slug">{event.slug}</Code>],
        ]}
      />
      <Dialog state={editing} title={`Edit ${event.title}`} size="lg">
        {() => <EditEventForm event={event} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

/** Loads the locations to choose from. */
function EditEventForm({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const locations = useLocationChoices();
  return (
    <QueryBoundary query={locations} height={400}>
      {(locations) => <EventForm locations={locations} event={event} onClose={onClose} />}
    </QueryBoundary>
  );
}

const EventPlace = ({ location, resource }: Pick<EventDetails, 'location' | 'resource'>) => (
  <>
    {resource && (
      <>
        <Anchor component={Link} to={`/spaces/resources/${resource.id}`} size="sm">
          {resource.name}
        </Anchor>
        {', '}
      </>
    )}
    <Anchor component={Link} to={`/spaces/${location.id}`} size="sm">
      {location.name}
    </Anchor>
  </>
);

const EventTags = ({ tags }: { tags: string[] }) => (
  <Group gap={4}>
    {tags.map((tag) => (
      <Badge key={tag} variant="default">
        {tag}
      </Badge>
    ))}
  </Group>
);

const LongText = ({ text }: { text: string }) => (
  <Text size="sm" maw={640} style={{ whiteSpace: 'pre-wrap' }}>
    {text}
  </Text>
);

const formatAudience = (visibility: EventVisibility) =>
  EVENT_VISIBILITY_OPTIONS.find(({ value }) => value === visibility)?.label ?? '';

const formatRefundDeadline = (hours: number | null) => {
  if (hours === null) return 'Buyers cannot cancel online';
  if (hours === 0) return 'Buyers can cancel online until the event starts';
  return `Buyers can cancel online until ${hours} h before the event starts`;
};
