import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { serviceUrl } from '../../api/urls.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { longDayWords } from '../../ui/place-words.ts';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { zoneNote } from '../zone-note.ts';
import { Admissions } from './Admissions.tsx';
import { admissionsOf, titleOf } from './admission.ts';
import { CancelOrder } from './CancelOrder.tsx';
import { useResend } from './changes.ts';
import { Money } from './Money.tsx';
import classes from './Portal.module.css';
import type { Order } from './queries.ts';
import { Status } from './Status.tsx';

/** All that a buyer may see and do about one order. */
export function Portal({ order, secret }: { order: Order; secret: string }) {
  const { event, code, status, may } = order;
  const cancelling = useDialog();
  const title = titleOf(order);
  const cancelled = event?.status === 'CANCELLED';
  return (
    <Stack gap="lg">
      <title>{`${title} · Foyer`}</title>
      <header>
        <Text size="sm" c="dimmed">
          Order <span className={classes.code}>{code}</span>
        </Text>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
      </header>
      {cancelled && (
        <Alert color="red" role="status" title="This event is cancelled">
          {order.paid.amount > 0
            ? 'It does not take place. What you paid goes back to you.'
            : 'It does not take place.'}
        </Alert>
      )}
      <Status order={order} secret={secret} onGiveUp={() => cancelling.open(true)} />
      <div>
        <Facts of={factsOf(order)} />
        <Group gap="md" mt="sm" className={classes.screenOnly ?? ''}>
          {status === 'PAID' && !cancelled && (
            <Anchor size="sm" href={serviceUrl(`public/orders/${secret}/calendar.ics`)}>
              Add to my calendar
            </Anchor>
          )}
          {event && !cancelled && (
            <Anchor size="sm" component={Link} to={`/events/${event.slug}`}>
              About the event
            </Anchor>
          )}
        </Group>
      </div>
      {admissionsOf(order).length > 0 && <Admissions order={order} secret={secret} />}
      <Money order={order} secret={secret} />
      {status === 'PAID' && (
        <Group gap="sm" className={classes.screenOnly ?? ''}>
          <Resend secret={secret} email={order.buyer.email} />
          {may.cancel && (
            <Button variant="subtle" color="red" onClick={() => cancelling.open(true)}>
              Cancel tickets
            </Button>
          )}
        </Group>
      )}
      <Dialog
        state={cancelling}
        title={status === 'PENDING' ? 'Give up this order?' : 'Which do you want to cancel?'}
      >
        {() => <CancelOrder order={order} secret={secret} onClose={cancelling.close} />}
      </Dialog>
    </Stack>
  );
}

function factsOf({ event, items, dayPasses, buyer }: Order): [string, string | null][] {
  const what = items
    .map(({ quantity, ticketType, dayPassType }) => {
      const name = ticketType?.name ?? dayPassType?.name ?? '';
      return quantity === 1 ? name : `${quantity} × ${name}`;
    })
    .join(', ');
  const day = items[0]?.validOn;
  const when = event
    ? exactSpanIn(event.startsAt, event.endsAt, event.timeZone) +
      zoneNote(event.startsAt, event.timeZone)
    : day
      ? longDayWords(day)
      : null;
  const where = event
    ? [event.locationName, event.address].filter(Boolean).join(', ')
    : (dayPasses[0]?.locationName ?? null);
  return [
    ['When', when],
    ['Where', where],
    ['What', what],
    ['Buyer', `${buyer.name}, ${buyer.email}`],
  ];
}

function Resend({ secret, email }: { secret: string; email: string | null }) {
  const resend = useResend(secret, () =>
    notifyDone(`The confirmation is on its way to ${email ?? 'you'}.`),
  );
  return (
    <Button
      variant="default"
      loading={resend.isPending}
      onClick={() =>
        resend.mutate(undefined, { onError: (error) => notifyFailure('Not sent', error) })
      }
    >
      Send the confirmation again
    </Button>
  );
}
