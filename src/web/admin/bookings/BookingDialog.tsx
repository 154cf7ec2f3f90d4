import { Anchor, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { Dialog, type DialogState } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { DescriptionList, StatusBadge } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { SeriesScope, UpdateBookingInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { SeriesScopeField } from './BookingFields.tsx';
import { BookingPaymentForm, PaymentActions, type PaymentStep } from './BookingPaymentForms.tsx';
import { formatHolder, getBookingStatusLabels } from './booking-labels.ts';
import { CancelBookingForm } from './CancelBookingForm.tsx';
import { useApproveBooking, useCheckInBooking, useUpdateBooking } from './mutations.ts';
import { PAYMENT_STATUS_LABELS } from './payments.ts';
import { type Booking, type BookingDetails, useBooking } from './queries.ts';
import { RescheduleBookingForm } from './RescheduleBookingForm.tsx';

interface BookingDialogProps {
  state: DialogState<Booking>;
  /** Receives the new day of the booking. */
  onRescheduled: (day: string) => void;
}

export const BookingDialog = ({ state, onRescheduled }: BookingDialogProps) => (
  <Dialog state={state} title={state.subject?.resource.name ?? 'Booking'} size="lg">
    {({ id }) => (
      <BookingSteps key={id} id={id} onRescheduled={onRescheduled} onClose={state.close} />
    )}
  </Dialog>
);

type BookingStep = 'details' | 'cancel' | 'reschedule' | 'edit' | PaymentStep;

interface BookingStepsProps {
  id: string;
  onRescheduled: (day: string) => void;
  onClose: () => void;
}

export function BookingSteps({ id, onRescheduled, onClose }: BookingStepsProps) {
  const [step, setStep] = useState<BookingStep>('details');
  const booking = useBooking(id);
  const back = () => setStep('details');
  return (
    <QueryBoundary query={booking}>
      {(booking) => {
        if (step === 'cancel')
          return <CancelBookingForm booking={booking} onBack={back} onDone={onClose} />;
        if (step === 'pay' || step === 'undo' || step === 'return')
          return <BookingPaymentForm step={step} booking={booking} onDone={back} />;
        if (step === 'edit') return <EditBookingForm booking={booking} onDone={back} />;
        if (step === 'reschedule') {
          const finish = (day: string) => {
            onRescheduled(day);
            onClose();
          };
          return <RescheduleBookingForm booking={booking} onBack={back} onDone={finish} />;
        }
        return <BookingDetailsView booking={booking} onStep={setStep} />;
      }}
    </QueryBoundary>
  );
}

interface BookingDetailsViewProps {
  booking: BookingDetails;
  onStep: (step: BookingStep) => void;
}

function BookingDetailsView({ booking, onStep }: BookingDetailsViewProps) {
  const { startsAt, endsAt, location, price, cancellation, createdAt } = booking;
  const [color, label] = getBookingStatusLabels()[booking.status];
  return (
    <Stack>
      <DescriptionList
        items={[
          [
            'Status',
            <StatusBadge key="status" color={color}>
              {label}
            </StatusBadge>,
          ],
          ['Booked by', <BookingHolder key="holder" booking={booking} />],
          [
            'When',
            `${formatLocalDateTimeRange(startsAt, endsAt, location.timeZone)}, ${formatTimeZone(location.timeZone)}`,
          ],
          ['Where', location.name],
          ['Title', booking.title],
          ['Notes', booking.notes],
          ['Price', formatMoney(price)],
          ['Payment', formatPayment(booking)],
          ['Series', booking.seriesId && 'Part of a series'],
          [
            'Checked in',
            booking.checkedInAt && (
              <DateTime key="checked-in" at={booking.checkedInAt} format="since" />
            ),
          ],
          [
            'Cancelled',
            cancellation && (
              <DateTime key="cancelled" at={cancellation.cancelledAt} format="since" />
            ),
          ],
          ['Reason', cancellation?.reason],
          ['Cancellation fee', cancellation && formatMoney(cancellation.fee)],
          ['Created', <DateTime key="created" at={createdAt} format="since" />],
        ]}
      />
      <PaymentActions booking={booking} onStep={onStep} />
      <BookingActions booking={booking} onStep={onStep} />
    </Stack>
  );
}

/** "Unpaid: €24.00", "Paid: €24.00" */
function formatPayment({ payment: { status, paid, open, surplus } }: BookingDetails): string {
  const [, label] = PAYMENT_STATUS_LABELS[status];
  if (status === 'UNPAID' && paid.amount > 0)
    return `${formatMoney(paid)} paid, ${formatMoney(open)} still to be paid`;
  const amount = { UNPAID: open, OVERPAID: surplus, PAID: paid, NOT_DUE: null, NOT_RECORDED: null }[
    status
  ];
  return amount ? `${label}: ${formatMoney(amount)}` : label;
}

function BookingHolder({ booking }: { booking: BookingDetails }) {
  const canRead = can(useStaffViewer(), 'members:read');
  const { member, guest } = booking;
  if (member && canRead) {
    return (
      <Anchor component={Link} to={`/members/${member.id}`} size="sm">
        {member.name}
      </Anchor>
    );
  }
  return [formatHolder(booking), guest?.email].filter(Boolean).join(', ');
}

function BookingActions({ booking, onStep }: BookingDetailsViewProps) {
  const approve = useApproveBooking(() => notifySuccess('Booking approved.'));
  const checkIn = useCheckInBooking(() => notifySuccess('Checked in.'));
  const actions = booking.allowedActions;
  if (!actions.cancel && !actions.reschedule) return null;
  return (
    <>
      <FormError error={approve.error ?? checkIn.error} />
      <Group gap="xs" justify="flex-end">
        <Button variant="subtle" color="red" onClick={() => onStep('cancel')}>
          {actions.confirm ? 'Decline' : 'Cancel booking'}
        </Button>
        <Button variant="default" onClick={() => onStep('edit')}>
          Edit
        </Button>
        <Button variant="default" onClick={() => onStep('reschedule')}>
          Reschedule
        </Button>
        {actions.checkIn && (
          <Button
            variant="default"
            loading={checkIn.isPending}
            onClick={() => checkIn.mutate(booking.id)}
          >
            Check in
          </Button>
        )}
        {actions.confirm && (
          <Button loading={approve.isPending} onClick={() => approve.mutate({ id: booking.id })}>
            Approve
          </Button>
        )}
      </Group>
    </>
  );
}

const VIEWS: FieldViews<Pick<UpdateBookingInput, 'title' | 'notes'>> = {
  title: {
    label: 'Title',
    hidesOptional: true,
    description: 'Shown on displays if the location allows it',
  },
  notes: { label: 'Notes', hidesOptional: true, rows: 2, maxRows: 8 },
};

function EditBookingForm({ booking, onDone }: { booking: BookingDetails; onDone: () => void }) {
  const edit = useUpdateBooking(() => {
    notifySuccess('Booking saved.');
    onDone();
  });
  const form = useInputForm('UpdateBookingInput', VIEWS, {
    row: booking,
    own: { scope: 'THIS' as SeriesScope },
  });
  return (
    <EditForm
      row={booking}
      form={form}
      label="Save"
      onSubmit={form.onSubmit((values) =>
        edit.mutate({ id: booking.id, scope: values.scope, ...form.toChanges(values) }),
      )}
      mutation={edit}
      cancelLabel="Back"
      onCancel={onDone}
    >
      <InputField form={form} name="title" isFirst />
      <InputField form={form} name="notes" />
      <SeriesScopeField
        label="Apply to"
        booking={booking}
        value={form.values.scope}
        onChange={(scope) => form.setFieldValue('scope', scope)}
      />
    </EditForm>
  );
}
