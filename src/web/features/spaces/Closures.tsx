import { Button, Group, Stack, Text } from '@mantine/core';
import { Confirm } from '../../ui/Confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconAlert } from '../../ui/icons.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { AddClosure } from './AddClosure.tsx';
import { affectedWords, daysOf } from './closure-words.ts';
import { type Closure, useDeleteClosure } from './location-queries.ts';

interface Props {
  locationId: string;
  closures: Closure[];
  /** By the clocks of the location. */
  today: string;
  mayChange: boolean;
}

export function Closures({ locationId, closures, today, mayChange }: Props) {
  const adding = useDialog();
  const removing = useDialog<Closure>();
  return (
    <Panel
      title="Closures"
      description="Days on which the location is shut: holidays, repairs."
      action={
        mayChange && (
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
            <ClosureWords closure={closure} />
            {mayChange && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={`Remove the closure ${daysOf(closure)}`}
                onClick={() => removing.open(closure)}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Dialog state={adding} title="Add a closure">
        {() => <AddClosure locationId={locationId} today={today} onClose={adding.close} />}
      </Dialog>
      <Dialog state={removing} title="Remove this closure?">
        {(closure) => <RemoveClosure closure={closure} onClose={removing.close} />}
      </Dialog>
    </Panel>
  );
}

const ClosureWords = ({ closure }: { closure: Closure }) => (
  <div>
    <Text size="sm" fw={600}>
      {daysOf(closure)}
    </Text>
    {closure.reason && <Text size="sm">{closure.reason}</Text>}
    {closure.bookingsAffected > 0 && (
      <Group gap={6} c="var(--foyer-warning)" wrap="nowrap">
        <IconAlert size={16} />
        <Text size="sm">{affectedWords(closure)}</Text>
      </Group>
    )}
  </div>
);

function RemoveClosure({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  const remove = useDeleteClosure(onClose);
  return (
    <Confirm
      label="Remove closure"
      onCancel={onClose}
      onConfirm={() => remove.mutate(closure.id)}
      pending={remove.isPending}
      error={remove.error}
    >
      The location is then open on <b>{daysOf(closure)}</b> as on any other such day.
    </Confirm>
  );
}
