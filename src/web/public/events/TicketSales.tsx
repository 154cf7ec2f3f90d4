import { Alert, Button, Input, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { formatLongTime } from '../../../core/time/format.ts';
import { MEMBER_PATH } from '../../api/urls.ts';
import { useViewer } from '../../app/session/viewer.ts';
import { useNow, useTimeZoneSuffix } from '../../components/browser-time.tsx';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { SectionCard } from '../../components/PageLayout.tsx';
import { addMinutes } from '../../components/wall-clock.ts';
import { BUYER_VIEWS } from '../checkout/BuyerFields.tsx';
import { QuantityInput } from '../checkout/QuantityInput.tsx';
import { AcceptsFewerCheckbox } from '../waitlist/AcceptsFewerCheckbox.tsx';
import { joinWaitlist, type OfferedEvent, type PublicTicketType } from './queries.ts';
import { TicketOrderForm } from './TicketOrderForm.tsx';

export function TicketSales({ event }: { event: OfferedEvent }) {
  const viewer = useViewer();
  const isGuest = (viewer.data?.kind ?? 'ANONYMOUS') === 'ANONYMOUS';
  const waitlist = useDialog<PublicTicketType>();
  const now = useNow(30);
  const formatSuffix = useTimeZoneSuffix();
  if (event.ticketTypes.length === 0) {
    return (
      <SectionCard title="Tickets">
        <Text size="sm">Tickets for this event aren’t sold online. Ask at the front desk.</Text>
      </SectionCard>
    );
  }
  return (
    <SectionCard title="Tickets" description={formatRefundPolicy(event, now, formatSuffix)}>
      <TicketOrderForm
        event={event}
        isGuest={isGuest}
        signInUrl={`${MEMBER_PATH}/sign-in`}
        onWait={waitlist.open}
      />
      <Dialog state={waitlist} title="Join the waiting list">
        {(type) => <JoinWaitlist type={type} onClose={waitlist.close} />}
      </Dialog>
    </SectionCard>
  );
}

function formatRefundPolicy(
  { refundHours, startsAt, timeZone, ticketTypes }: OfferedEvent,
  now: Date,
  formatSuffix: ReturnType<typeof useTimeZoneSuffix>,
) {
  if (ticketTypes.every(({ price }) => price.amount === 0)) return undefined;
  if (refundHours === null) {
    return 'Tickets are non-refundable, but you can transfer them to someone else.';
  }
  const until = addMinutes(startsAt, -60 * refundHours);
  if (new Date(until) <= now) {
    return 'Tickets bought now are non-refundable, but you can transfer them to someone else.';
  }
  return `Cancel by ${formatLongTime(until, timeZone)}${formatSuffix(until, timeZone)} for a refund.`;
}

interface JoinWaitlistProps {
  type: PublicTicketType;
  onClose: () => void;
}

function JoinWaitlist({ type, onClose }: JoinWaitlistProps) {
  const join = useMutation({ mutationFn: joinWaitlist, gcTime: 0 });
  const form = useInputForm('JoinWaitlistInput', BUYER_VIEWS, {
    own: { quantity: 1, acceptsFewer: true },
  });
  if (join.isSuccess) return <WaitlistJoined email={join.variables.email} onClose={onClose} />;
  const submit = form.onSubmit((values) =>
    join.mutate({
      ticketTypeId: type.id,
      quantity: values.quantity,
      acceptsFewer: values.acceptsFewer,
      ...form.toInput(values),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={join.error} />
        <Text size="sm">
          <b>{type.name}</b> is sold out. If tickets become available, we’ll email you when it’s
          your turn. The email says until when we hold them for you: up to a day, or less if the
          event starts soon.
        </Text>
        <InputField form={form} name="name" autoComplete="name" isFirst />
        <InputField form={form} name="email" autoComplete="email" />
        <div>
          <Input.Label component="div" mb={4}>
            Number of tickets
          </Input.Label>
          <QuantityInput
            label="tickets"
            min={1}
            max={type.maxPerOrder}
            value={form.values.quantity}
            onChange={(quantity) => form.setFieldValue('quantity', quantity)}
          />
        </div>
        {form.values.quantity > 1 && (
          <AcceptsFewerCheckbox
            checked={form.values.acceptsFewer}
            onChange={(acceptsFewer) => form.setFieldValue('acceptsFewer', acceptsFewer)}
          />
        )}
      </Stack>
      <DialogActions
        label="Join the waiting list"
        onCancel={onClose}
        cancelLabel="Back"
        pending={join.isPending}
      />
    </form>
  );
}

const WaitlistJoined = ({ email, onClose }: { email: string; onClose: () => void }) => (
  <Stack>
    <Alert color="teal" role="status" title="You’re on the waiting list">
      We’ll email <b>{email}</b> when it’s your turn. Open the link in our email to change the
      number of tickets or to leave the list.
    </Alert>
    <Button onClick={onClose} data-autofocus>
      Close
    </Button>
  </Stack>
);
