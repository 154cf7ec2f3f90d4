import { Text } from '@mantine/core';
import { MEMBERS_PATH } from '../../../api/urls.ts';
import { useViewer } from '../../../session/viewer.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { exactMomentIn } from '../../../ui/shown-twice.ts';
import { useDialog } from '../../../ui/use-dialog.ts';
import { useNow } from '../../../ui/use-now.ts';
import { later } from '../../../ui/wall-clock.ts';
import { zoneNote } from '../../zone-note.ts';
import type { OfferedEvent, OfferedType } from '../queries.ts';
import { JoinWaitlist } from './JoinWaitlist.tsx';
import { OrderForm } from './OrderForm.tsx';

/** What the event sells, or that it sells nothing. */
export function Tickets({ event }: { event: OfferedEvent }) {
  const viewer = useViewer();
  const isGuest = (viewer.data?.kind ?? 'ANONYMOUS') === 'ANONYMOUS';
  const waiting = useDialog<OfferedType>();
  const now = useNow(30);
  if (event.ticketTypes.length === 0) {
    return (
      <Panel title="Tickets">
        <Text size="sm">No tickets are sold for this event here. Ask at the front desk.</Text>
      </Panel>
    );
  }
  return (
    <Panel title="Tickets" description={refundWords(event, now)}>
      <OrderForm
        event={event}
        isGuest={isGuest}
        signInUrl={`${MEMBERS_PATH}/sign-in`}
        onWait={waiting.open}
      />
      <Dialog state={waiting} title="Join the waiting list">
        {(type) => <JoinWaitlist type={type} onClose={waiting.close} />}
      </Dialog>
    </Panel>
  );
}

function refundWords({ refundHours, startsAt, timeZone, ticketTypes }: OfferedEvent, now: Date) {
  if (ticketTypes.every(({ price }) => price.amount === 0)) return undefined;
  if (refundHours === null) {
    return 'Tickets are not taken back, but you can give them to somebody else.';
  }
  const until = later(startsAt, -60 * refundHours);
  if (new Date(until) <= now) {
    return 'Tickets bought now are not refunded, but you can give them to somebody else.';
  }
  return `You get your money back if you cancel until ${exactMomentIn(until, timeZone)}${zoneNote(until, timeZone)}.`;
}
