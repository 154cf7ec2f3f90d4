import { Alert, Button, Input, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { MEMBER_PATH } from '../../api/urls.ts';
import { useViewer } from '../../app/session/viewer.ts';
import { useNow, useTimeZoneSuffix } from '../../components/browser-time.tsx';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { SectionCard } from '../../components/PageLayout.tsx';
import { addMinutes } from '../../components/wall-clock.ts';
import { formatLongTime } from '../../language/page-dates.ts';
import { getText, renderText } from '../../language/page-texts.ts';
import { getBuyerViews } from '../checkout/BuyerFields.tsx';
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
      <SectionCard title={getText('event.tickets')}>
        <Text size="sm">{getText('event.notSoldOnline')}</Text>
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title={getText('event.tickets')}
      description={formatRefundPolicy(event, now, formatSuffix)}
    >
      <TicketOrderForm
        event={event}
        isGuest={isGuest}
        signInUrl={`${MEMBER_PATH}/sign-in`}
        onWait={waitlist.open}
      />
      <Dialog state={waitlist} title={getText('waitlist.join')}>
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
    return getText('event.nonRefundable');
  }
  const until = addMinutes(startsAt, -60 * refundHours);
  if (new Date(until) <= now) {
    return getText('event.nonRefundableNow');
  }
  return getText('order.cancelBy', {
    time: formatLongTime(until, timeZone) + formatSuffix(until, timeZone),
  });
}

interface JoinWaitlistProps {
  type: PublicTicketType;
  onClose: () => void;
}

function JoinWaitlist({ type, onClose }: JoinWaitlistProps) {
  const join = useMutation({ mutationFn: joinWaitlist, gcTime: 0 });
  const form = useInputForm('JoinWaitlistInput', getBuyerViews(), {
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
          {renderText('waitlist.joinHelp', { b: (label) => <b>{label}</b> }, { name: type.name })}
        </Text>
        <InputField form={form} name="name" autoComplete="name" isFirst />
        <InputField form={form} name="email" autoComplete="email" />
        <div>
          <Input.Label component="div" mb={4}>
            {getText('waitlist.quantity')}
          </Input.Label>
          <QuantityInput
            label={getText('waitlist.tickets')}
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
        label={getText('waitlist.join')}
        onCancel={onClose}
        cancelLabel={getText('page.back')}
        pending={join.isPending}
      />
    </form>
  );
}

const WaitlistJoined = ({ email, onClose }: { email: string; onClose: () => void }) => (
  <Stack>
    <Alert color="teal" role="status" title={getText('waitlist.joined')}>
      {renderText('waitlist.joinedHelp', { b: (label) => <b>{label}</b> }, { email })}
    </Alert>
    <Button onClick={onClose} data-autofocus>
      {getText('page.close')}
    </Button>
  </Stack>
);
