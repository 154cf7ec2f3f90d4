import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatDate } from '../../../core/time/format.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { SectionCard } from '../../components/PageLayout.tsx';
import { AddClosureForm, AnnounceClosureForm } from './ClosureForms.tsx';
import { useDeleteClosure } from './closure-queries.ts';
import type { Closure } from './location-queries.ts';

interface ClosureListProps {
  location: { id: string; timeZone: string };
  closures: Closure[];
  /** In the time zone of the location. */
  today: string;
  canChange: boolean;
}

export function ClosureList({ location, closures, today, canChange }: ClosureListProps) {
  const adding = useDialog();
  const removing = useDialog<Closure>();
  const announcing = useDialog<Closure>();
  const canAnnounce = can(useStaffViewer(), 'bookings:write');
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
            <Group gap="xs">
              {canAnnounce && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Show effects of closure ${formatClosureDays(closure)}`}
                  onClick={() => announcing.open(closure)}
                >
                  Show effects
                </Button>
              )}
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
          </Group>
        ))}
      </Stack>
      <Dialog state={adding} title="Add a closure" size="lg">
        {() => <AddClosureForm location={location} today={today} onClose={adding.close} />}
      </Dialog>
      <Dialog state={announcing} title="Within this closure" size="lg">
        {(closure) => (
          <AnnounceClosureForm location={location} closure={closure} onClose={announcing.close} />
        )}
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

const formatClosureDays = ({ startsOn, endsOn }: Closure) =>
  startsOn === endsOn ? formatDate(startsOn) : `${formatDate(startsOn)} – ${formatDate(endsOn)}`;

/** A closure does not cancel bookings. */
const formatAffectedBookings = ({ bookingsAffected: count = 0 }: Closure) =>
  count === 1
    ? '1 booking falls within this closure and stays.'
    : `${count} bookings fall within this closure and stay.`;
