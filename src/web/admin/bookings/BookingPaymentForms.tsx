import { Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { PaymentMethod } from '../../gql/graphql.ts';
import { PaymentMethodField } from '../orders/PaymentMethodField.tsx';
import { formatHolder } from './booking-labels.ts';
import { useMarkBookingPaid, useMarkBookingUnpaid, useReturnBookingPayment } from './payments.ts';
import type { BookingDetails } from './queries.ts';

export type PaymentStep = 'pay' | 'undo' | 'return';

interface PaymentActionsProps {
  booking: BookingDetails;
  onStep: (step: PaymentStep) => void;
}

/** What staff can do with the payment of a booking. */
export function PaymentActions({ booking, onStep }: PaymentActionsProps) {
  const { markPaid, markUnpaid, returnSurplus } = booking.paymentActions;
  if (!markPaid && !markUnpaid && !returnSurplus) return null;
  return (
    <Group gap="xs" justify="flex-end">
      {markUnpaid && (
        <Button variant="subtle" onClick={() => onStep('undo')}>
          Undo payment
        </Button>
      )}
      {returnSurplus && (
        <Button variant="default" onClick={() => onStep('return')}>
          Return {formatMoney(booking.payment.surplus)}
        </Button>
      )}
      {markPaid && (
        <Button variant="default" onClick={() => onStep('pay')}>
          Mark as paid
        </Button>
      )}
    </Group>
  );
}

interface PaymentFormProps {
  booking: BookingDetails;
  onDone: () => void;
}

export function BookingPaymentForm({ step, ...props }: PaymentFormProps & { step: PaymentStep }) {
  if (step === 'undo') return <UndoPaymentForm {...props} />;
  return step === 'pay' ? <MarkPaidForm {...props} /> : <ReturnPaymentForm {...props} />;
}

function MarkPaidForm({ booking, onDone }: PaymentFormProps) {
  const [method, setMethod] = useState<PaymentMethod>('CASH');
  const pay = useMarkBookingPaid((outcome) => {
    notifySuccess(outcome === 'RECORDED' ? 'Payment recorded.' : 'It was already marked as paid.');
    onDone();
  });
  return (
    <DialogForm
      label="Mark as paid"
      cancelLabel="Back"
      onCancel={onDone}
      onSubmit={(event) => {
        event.preventDefault();
        pay.mutate({ id: booking.id, method });
      }}
      mutation={pay}
    >
      <Text size="sm">
        Mark this booking as paid if you received <b>{formatMoney(booking.payment.open)}</b> from{' '}
        {formatHolder(booking)}.
      </Text>
      <PaymentMethodField label="How did they pay?" value={method} onChange={setMethod} />
    </DialogForm>
  );
}

function ReturnPaymentForm({ booking, onDone }: PaymentFormProps) {
  const [method, setMethod] = useState<PaymentMethod>('CASH');
  const giveBack = useReturnBookingPayment(() => {
    notifySuccess('Return recorded.');
    onDone();
  });
  return (
    <DialogForm
      label="Record the return"
      cancelLabel="Back"
      onCancel={onDone}
      onSubmit={(event) => {
        event.preventDefault();
        giveBack.mutate({ id: booking.id, method });
      }}
      mutation={giveBack}
    >
      <Text size="sm">
        {formatHolder(booking)} paid <b>{formatMoney(booking.payment.surplus)}</b> more than the
        booking costs now. Return it, then record it here.
      </Text>
      <PaymentMethodField
        label="How did you return the money?"
        value={method}
        onChange={setMethod}
      />
    </DialogForm>
  );
}

const MAX_REASON_LENGTH = 500;

function UndoPaymentForm({ booking, onDone }: PaymentFormProps) {
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const undo = useMarkBookingUnpaid(() => {
    notifySuccess('Payment undone.');
    onDone();
  });
  return (
    <DialogForm
      label="Undo payment"
      cancelLabel="Back"
      color="red"
      onCancel={onDone}
      onSubmit={(event) => {
        event.preventDefault();
        setIsMissing(reason.trim() === '');
        if (reason.trim() !== '') undo.mutate({ id: booking.id, reason: reason.trim() });
      }}
      mutation={undo}
    >
      <Text size="sm">
        Undo payments only if they were recorded by mistake. The takings of their days no longer
        include them. Payments of which you returned money stay. To return money, cancel or move the
        booking first, then record the return.
      </Text>
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        maxLength={MAX_REASON_LENGTH}
        value={reason}
        error={isMissing && 'Enter a reason'}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </DialogForm>
  );
}
