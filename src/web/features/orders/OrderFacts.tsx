import { Anchor, Code } from '@mantine/core';
import { Link } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { spanIn, zoneWords } from '../../ui/place-words.ts';
import { OrderState } from './OrderState.tsx';
import type { OrderDetails } from './order-queries.ts';
import { itemWords } from './order-words.ts';

export function OrderFacts({ order }: { order: OrderDetails }) {
  const viewer = useStaff();
  const { code, buyer, memberId, event, items, paidAt, cancelledAt, createdAt } = order;
  const seesMember = memberId !== null && may(viewer, 'members:read');
  return (
    <Panel title="Details">
      <Facts
        of={[
          ['Code', <Code key="code">{code}</Code>],
          ['Status', <OrderState key="status" order={order} />],
          [
            'Buyer',
            seesMember ? (
              <Anchor key="buyer" component={Link} to={`/members/${memberId}`} size="sm">
                {buyer.name}
              </Anchor>
            ) : (
              buyer.name
            ),
          ],
          [
            'E-mail',
            buyer.email && (
              <Anchor key="email" href={`mailto:${buyer.email}`} size="sm">
                {buyer.email}
              </Anchor>
            ),
          ],
          ['Event', event && <EventWords key="event" event={event} />],
          ['Ordered', items.map(itemWords).join(', ')],
          ['Placed', <Moment key="placed" at={createdAt} as="since" />],
          ['Confirmed', paidAt && <Moment key="paid" at={paidAt} as="since" />],
          ['Cancelled', cancelledAt && <Moment key="cancelled" at={cancelledAt} as="since" />],
        ]}
      />
    </Panel>
  );
}

function EventWords({ event }: { event: NonNullable<OrderDetails['event']> }) {
  const viewer = useStaff();
  const { id, title, status, startsAt, endsAt, timeZone, locationName } = event;
  return (
    <>
      {may(viewer, 'events:read') ? (
        <Anchor component={Link} to={`/events/${id}`} size="sm">
          {title}
        </Anchor>
      ) : (
        title
      )}
      {status === 'CANCELLED' && ', which is cancelled'}
      <div>
        {spanIn(startsAt, endsAt, timeZone)} ({zoneWords(timeZone)}), {locationName}
      </div>
    </>
  );
}
