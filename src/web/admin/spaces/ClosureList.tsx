import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { formatDate } from '../../../core/time/format.ts';
import { Confirmation, Dialog, DialogForm, useDialog } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import type { CreateClosureInput } from '../../gql/graphql.ts';
import { type Closure, useCreateClosure, useDeleteClosure } from './location-queries.ts';

interface ClosureListProps {
  locationId: string;
  closures: Closure[];
  /** In the time zone of the location. */
  today: string;
  canChange: boolean;
}

export function ClosureList({ locationId, closures, today, canChange }: ClosureListProps) {
  const adding = useDialog();
  const removing = useDialog<Closure>();
  return (
    <SectionCard
      title="Closures"
      description="Days when the location is closed, such as holidays or repairs."
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => adding.open(true)}>
            Add a closure
          </Button>
        )
      }
    >
      {closures.length === 0 && <Text size="sm">No upcoming closures.</Text>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {closures.map((closure) => (
          <Group component="li" key={closure.id} justify="space-between" align="flex-start">
            <ClosureSummary closure={closure} />
            {canChange && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={`Remove closure ${formatClosureDays(closure)}`}
                onClick={() => removing.open(closure)}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Dialog state={adding} title="Add a closure">
        {() => <AddClosureForm locationId={locationId} today={today} onClose={adding.close} />}
      </Dialog>
      <Dialog state={removing} title="Remove closure?">
        {(closure) => <RemoveClosureConfirmation closure={closure} onClose={removing.close} />}
      </Dialog>
    </SectionCard>
  );
}

const ClosureSummary = ({ closure }: { closure: Closure }) => (
  <div>
    <Text size="sm" fw={600}>
      {formatClosureDays(closure)}
    </Text>
    {closure.reason && <Text size="sm">{closure.reason}</Text>}
    {(closure.bookingsAffected ?? 0) > 0 && (
      <Group gap={6} c="var(--foyer-warning)" wrap="nowrap">
        <IconAlertTriangle size={16} />
        <Text size="sm">{formatAffectedBookings(closure)}</Text>
      </Group>
    )}
  </div>
);

function RemoveClosureConfirmation({
  closure,
  onClose,
}: {
  closure: Closure;
  onClose: () => void;
}) {
  const remove = useDeleteClosure(onClose);
  return (
    <Confirmation
      label="Remove closure"
      onCancel={onClose}
      onConfirm={() => remove.mutate(closure.id)}
      pending={remove.isPending}
      error={remove.error}
    >
      The location opens on <b>{formatClosureDays(closure)}</b> with its regular hours.
    </Confirmation>
  );
}

const VIEWS: FieldViews<Omit<CreateClosureInput, 'locationId'>> = {
  startsOn: { label: 'First day', type: 'date', missing: 'Select a day' },
  endsOn: { label: 'Last day', type: 'date', missing: 'Select a day' },
  reason: {
    label: 'Reason',
    description: 'Shown to people who try to book these days',
    placeholder: 'Public holiday',
  },
};

interface AddClosureFormProps {
  locationId: string;
  today: string;
  onClose: () => void;
}

function AddClosureForm({ locationId, today, onClose }: AddClosureFormProps) {
  const [created, setCreated] = useState<Closure>();
  const create = useCreateClosure((closure) => {
    notifySuccess('Closure added.');
    if ((closure.bookingsAffected ?? 0) > 0) setCreated(closure);
    else onClose();
  });
  const form = useInputForm('CreateClosureInput', VIEWS, {
    row: { startsOn: today, endsOn: today },
    validate: {
      startsOn: (day) => (isCalendarDate(day) ? null : 'Select a day'),
      endsOn: (day, { startsOn }) => {
        if (!isCalendarDate(day)) return 'Select a day';
        return day < startsOn ? 'Select a day on or after the first day' : null;
      },
    },
  });
  if (created) return <AffectedBookingsNotice closure={created} onClose={onClose} />;
  return (
    <DialogForm
      label="Add closure"
      onSubmit={form.onSubmit((values) => create.mutate({ locationId, ...form.toInput(values) }))}
      mutation={create}
      onCancel={onClose}
    >
      <SimpleGrid cols={2}>
        <InputField form={form} name="startsOn" />
        <InputField form={form} name="endsOn" />
      </SimpleGrid>
      <InputField form={form} name="reason" />
    </DialogForm>
  );
}

const AffectedBookingsNotice = ({
  closure,
  onClose,
}: {
  closure: Closure;
  onClose: () => void;
}) => (
  <Stack>
    <Alert color="orange" role="alert" title="Bookings during this closure">
      {formatAffectedBookings(closure)}
    </Alert>
    <Group justify="flex-end">
      <Button onClick={onClose}>Done</Button>
    </Group>
  </Stack>
);

const formatClosureDays = ({ startsOn, endsOn }: Closure) =>
  startsOn === endsOn ? formatDate(startsOn) : `${formatDate(startsOn)} – ${formatDate(endsOn)}`;

/** A closure does not cancel bookings. */
const formatAffectedBookings = ({ bookingsAffected: count = 0 }: Closure) =>
  count === 1
    ? '1 booking falls within this closure and stays. Reschedule or cancel it.'
    : `${count} bookings fall within this closure and stay. Reschedule or cancel them.`;
