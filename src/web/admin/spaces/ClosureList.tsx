import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Confirmation, Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatDate } from '../../components/format-local-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/SectionCard.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import { type Closure, useCreateClosure, useDeleteClosure } from './location-queries.ts';

interface ClosureListProps {
  locationId: string;
  closures: Closure[];
  /** By the clocks of the location. */
  today: string;
  canChange: boolean;
}

export function ClosureList({ locationId, closures, today, canChange }: ClosureListProps) {
  const adding = useDialog();
  const removing = useDialog<Closure>();
  return (
    <SectionCard
      title="Closures"
      description="Days on which the location is shut: holidays, repairs."
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => adding.open(true)}>
            Add a closure
          </Button>
        )
      }
    >
      {closures.length === 0 && <Text size="sm">None to come.</Text>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {closures.map((closure) => (
          <Group component="li" key={closure.id} justify="space-between" align="flex-start">
            <ClosureSummary closure={closure} />
            {canChange && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={`Remove the closure ${formatClosureDays(closure)}`}
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
      <Dialog state={removing} title="Remove this closure?">
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
    {closure.bookingsAffected > 0 && (
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
      The location is then open on <b>{formatClosureDays(closure)}</b> as on any other such day.
    </Confirmation>
  );
}

interface AddClosureFormProps {
  locationId: string;
  today: string;
  onClose: () => void;
}

function AddClosureForm({ locationId, today, onClose }: AddClosureFormProps) {
  const [made, setMade] = useState<Closure>();
  const create = useCreateClosure((closure) => {
    notifySuccess('The closure is added.');
    if (closure.bookingsAffected > 0) setMade(closure);
    else onClose();
  });
  const form = useForm({
    initialValues: { startsOn: today, endsOn: today, reason: '' },
    validate: {
      startsOn: (day) => (isCalendarDate(day) ? null : 'Choose a day'),
      endsOn: (day, { startsOn }) => {
        if (!isCalendarDate(day)) return 'Choose a day';
        return day < startsOn ? 'Not before the first day' : null;
      },
    },
  });
  if (made) return <AffectedBookingsNotice closure={made} onClose={onClose} />;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ reason, ...days }) =>
        create.mutate({ locationId, ...days, reason: reason.trim() || null }),
      )}
    >
      <Stack>
        <FormError error={create.error} />
        <SimpleGrid cols={2}>
          <TextInput type="date" label="First day" {...form.getInputProps('startsOn')} />
          <TextInput type="date" label="Last day" {...form.getInputProps('endsOn')} />
        </SimpleGrid>
        <TextInput
          label="Reason (optional)"
          description="Told to those who want to book on these days"
          placeholder="Public holiday"
          maxLength={200}
          {...form.getInputProps('reason')}
        />
      </Stack>
      <DialogActions label="Add closure" onCancel={onClose} pending={create.isPending} />
    </form>
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
    <Alert color="orange" role="alert" title="There are bookings in it">
      {formatAffectedBookings(closure)}
    </Alert>
    <Group justify="flex-end">
      <Button onClick={onClose}>Done</Button>
    </Group>
  </Stack>
);

const formatClosureDays = ({ startsOn, endsOn }: Closure) =>
  startsOn === endsOn ? formatDate(startsOn) : `${formatDate(startsOn)} – ${formatDate(endsOn)}`;

/** A closure cancels nothing by itself. */
const formatAffectedBookings = ({ bookingsAffected: count }: Closure) =>
  count === 1
    ? '1 booking lies in it and stays as it is: look at that day, and move or cancel it.'
    : `${count} bookings lie in it and stay as they are: look at these days, and move or cancel them.`;
