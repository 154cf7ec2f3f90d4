import { Button, Code, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { notifyDone, notifyFailure } from '../../../ui/notify.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { StateBadge } from '../../../ui/StateBadge.tsx';
import { useDialog } from '../../../ui/use-dialog.ts';
import { useNow } from '../../../ui/use-now.ts';
import { soldWords } from '../event-words.ts';
import { AddDiscount } from './AddDiscount.tsx';
import { DeleteDiscount } from './DeleteDiscount.tsx';
import { offWords, stateOf } from './discount-words.ts';
import { type DiscountCode, useDiscountCodes, useUpdateDiscountCode } from './queries.ts';

interface Props {
  /** Null: codes that count for every event and for day passes. */
  event: { id: string; ticketTypes: { price: { currency: string } }[] } | null;
  timeZone: string;
  mayChange: boolean;
}

export function DiscountCodes({ event, timeZone, mayChange }: Props) {
  const now = useNow(60);
  const codes = useDiscountCodes(event?.id ?? null);
  const creating = useDialog();
  const deleting = useDialog<DiscountCode>();
  const columns: Column<DiscountCode>[] = [
    { header: 'Code', cell: ({ code }) => <Code fz="sm">{code}</Code> },
    { header: 'Gives', cell: (code) => <Text size="sm">{offWords(code)}</Text> },
    {
      header: 'Used',
      cell: ({ uses, maxUses }) => <Text size="sm">{soldWords(uses, maxUses)}</Text>,
    },
    { header: 'State', cell: (code) => <State code={code} timeZone={timeZone} now={now} /> },
  ];
  return (
    <Panel
      title="Discount codes"
      description={
        event
          ? 'Make orders of this event cheaper. Some may count for every event besides: they stand under Day passes.'
          : 'These count for every event and for day passes. Those of one event stand on its page.'
      }
      action={
        mayChange && (
          <Button size="xs" variant="default" onClick={() => creating.open(true)}>
            Add a code
          </Button>
        )
      }
    >
      <Loaded query={codes} height={40}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">None.</Text>
          ) : (
            <DataTable
              label="Discount codes"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              isEnded={({ active }) => !active}
              {...(mayChange && {
                actions: (code: DiscountCode) => (
                  <Actions code={code} onDelete={() => deleting.open(code)} />
                ),
              })}
            />
          )
        }
      </Loaded>
      <Dialog state={creating} title="Add a discount code">
        {() => (
          <AddDiscount
            eventId={event?.id ?? null}
            timeZone={timeZone}
            currency={event?.ticketTypes[0]?.price.currency ?? 'EUR'}
            onClose={creating.close}
          />
        )}
      </Dialog>
      <Dialog state={deleting} title="Delete this code?">
        {(code) => <DeleteDiscount code={code} onClose={deleting.close} />}
      </Dialog>
    </Panel>
  );
}

function Actions({ code, onDelete }: { code: DiscountCode; onDelete: () => void }) {
  const update = useUpdateDiscountCode(({ code, active }) =>
    notifyDone(active ? `${code} counts again.` : `${code} is switched off. Orders keep it.`),
  );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={update.isPending}
        aria-label={`Switch ${code.code} ${code.active ? 'off' : 'on'}`}
        onClick={() =>
          update.mutate(
            { id: code.id, input: { active: !code.active } },
            { onError: (error) => notifyFailure('The code stays as it was', error) },
          )
        }
      >
        {code.active ? 'Switch off' : 'Switch on'}
      </Button>
      {code.uses === 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={`Delete ${code.code}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      )}
    </>
  );
}

interface StateProps {
  code: DiscountCode;
  timeZone: string;
  now: Date;
}

function State({ code, timeZone, now }: StateProps) {
  const { color, label, note } = stateOf(code, timeZone, now);
  return (
    <Group gap={6}>
      <StateBadge color={color}>{label}</StateBadge>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Group>
  );
}
