import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { toServiceUrl } from '../../api/urls.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/DateTime.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatLocalDateTimeRange, formatTimeZone } from '../../components/format-local-time.ts';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { BackLink, PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { DiscountCodes } from '../discounts/DiscountCodes.tsx';
import { OrdersTable } from '../orders/OrdersTable.tsx';
import { useOrders } from '../orders/queries.ts';
import { useLocationChoices } from '../spaces/queries.ts';
import { EventActions } from './EventActions.tsx';
import { EventForm } from './EventForm.tsx';
import { EventStatusBadge } from './EventsTable.tsx';
import { formatAudience, formatRefundDeadline } from './event-labels.ts';
import { PublishChecklist } from './PublishChecklist.tsx';
import { type EventDetails, useEvent } from './queries.ts';
import { SalesProgress } from './SalesProgress.tsx';
import { SuspiciousHolds } from './SuspiciousHolds.tsx';
import { TicketTypes } from './TicketTypes.tsx';
import { Waitlist } from './Waitlist.tsx';

export function EventPage() {
  const { eventId = '' } = useParams();
  const viewer = useStaffViewer();
  const canChange = can(viewer, 'events:write');
  const event = useEvent(eventId);
  return (
    <>
      <BackLink to="/events">All events</BackLink>
      <QueryBoundary query={event} height={400}>
        {(event) => {
          const canEdit = canChange && event.status !== 'CANCELLED';
          return (
            <>
              <PageHeader
                title={event.title}
                description={`${formatLocalDateTimeRange(event.startsAt, event.endsAt, event.timeZone)}, ${formatTimeZone(event.timeZone)}`}
                action={
                  <Group gap="sm">
                    {event.status === 'PUBLISHED' && <PublicPageLink slug={event.slug} />}
                    {canEdit && <EventActions event={event} />}
                  </Group>
                }
              />
              <Stack>
                {event.status === 'DRAFT' && <PublishChecklist event={event} />}
                <EventDetailsCard event={event} canChange={canEdit} />
                <TicketTypes event={event} canChange={canEdit} />
                {can(viewer, 'orders:read') && (
                  <>
                    <DiscountCodes event={event} timeZone={event.timeZone} canChange={canEdit} />
                    <SuspiciousHolds event={event} canRelease={can(viewer, 'orders:write')} />
                    <Waitlist event={event} />
                    <EventOrders event={event} />
                  </>
                )}
              </Stack>
            </>
          );
        }}
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

interface Props {
  event: EventDetails;
  canChange: boolean;
}

export function EventDetailsCard({ event, canChange }: Props) {
  const editing = useDialog();
  const locations = useLocationChoices();
  const { status, location, resource, publishedAt, cancelledAt, taken, capacity } = event;
  return (
    <SectionCard
      title="Details"
      action={
        canChange && (
          <Button
            size="xs"
            variant="default"
            loading={locations.isPending}
            onClick={() => editing.open(true)}
          >
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
          ['Location', resource ? `${resource.name}, ${location.name}` : location.name],
          ['Visibility', formatAudience(event.visibility)],
          ['Tickets sold', <SalesProgress key="sold" sold={taken ?? 0} limit={capacity} />],
          ['Refunds', formatRefundDeadline(event.refundHours)],
          ['Tags', event.tags.length > 0 ? <EventTags key="tags" tags={event.tags} /> : null],
          ['Short summary', event.summary],
          ['Description', event.description && <LongText key="text" text={event.description} />],
          ['Short name', <Code key="slug">{event.slug}</Code>],
        ]}
      />
      <Dialog state={editing} title={`Edit ${event.title}`} size="lg">
        {() => <EventForm locations={locations.data ?? []} event={event} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

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

export function EventOrders({ event }: { event: { id: string } }) {
  const pages = useOrders({ eventId: event.id });
  return (
    <SectionCard title="Orders">
      <InfiniteList
        pages={pages}
        empty={<Text size="sm">No orders yet. They appear here as people order tickets.</Text>}
      >
        {(orders) => <OrdersTable orders={orders} variant="event" />}
      </InfiniteList>
    </SectionCard>
  );
}
