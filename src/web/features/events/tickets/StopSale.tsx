import { Text } from '@mantine/core';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { FormFailure } from '../../../ui/FormFailure.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import type { TicketType } from '../event-queries.ts';
import { useSaveTicketType } from './queries.ts';

/** Stops the sale of a type, or takes it up again. */
export function StopSale({ type, onClose }: { type: TicketType; onClose: () => void }) {
  const { id, name } = type;
  const isOn = type.active === true;
  const save = useSaveTicketType(() => {
    notifyDone(isOn ? `${name} is no longer sold.` : `${name} is sold again.`);
    onClose();
  });
  return (
    <>
      <FormFailure error={save.error} />
      <Text size="sm">
        {isOn ? (
          <>
            <b>{name}</b> is taken from the public pages. Tickets that are sold stay good; who is
            paying right now may finish.
          </>
        ) : (
          <>
            <b>{name}</b> is offered again, within its time of sale.
          </>
        )}
      </Text>
      <DialogActions
        label={isOn ? 'Stop sale' : 'Sell again'}
        onCancel={onClose}
        onConfirm={() => save.mutate({ id, update: { active: !isOn } })}
        pending={save.isPending}
      />
    </>
  );
}
