import { Button, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { moneyWords } from '../../../ui/money.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { StateBadge } from '../../../ui/StateBadge.tsx';
import { useDialog } from '../../../ui/use-dialog.ts';
import type { EventDetails, TicketType } from '../event-queries.ts';
import { SoldBar } from '../SoldBar.tsx';
import { DeleteTicketType } from './DeleteTicketType.tsx';
import { StopSale } from './StopSale.tsx';
import { saleOf } from './sale-words.ts';
import { TicketTypeForm } from './TicketTypeForm.tsx';

interface Props {
  event: EventDetails;
  mayChange: boolean;
}

const columnsFor = (event: EventDetails): Column<TicketType>[] => [
  { header: 'Name', cell: (type) => <Name type={type} /> },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : moneyWords(price)}</Text>,
  },
  {
    header: 'Sold',
    cell: ({ sold, quantity }) => <SoldBar sold={sold ?? 0} of={quantity} />,
  },
  { header: 'Sale', cell: (type) => <Sale type={type} event={event} /> },
];

/** What an event sells. */
export function TicketTypes({ event, mayChange }: Props) {
  const creating = useDialog();
  const editing = useDialog<TicketType>();
  const stopping = useDialog<TicketType>();
  const deleting = useDialog<TicketType>();
  return (
    <Panel
      title="Ticket types"
      description="Registrations and tickets, each with its own number and time of sale."
      action={
        mayChange && (
          <Button size="xs" onClick={() => creating.open(true)}>
            Add a ticket type
          </Button>
        )
      }
    >
      {event.ticketTypes.length === 0 ? (
        <Text size="sm">None: nobody can sign up, the event is an announcement.</Text>
      ) : (
        <DataTable
          label="Ticket types"
          columns={columnsFor(event)}
          rows={event.ticketTypes}
          keyOf={({ id }) => id}
          isEnded={({ active }) => !active}
          {...(mayChange && {
            actions: (type: TicketType) => (
              <Actions
                type={type}
                onEdit={() => editing.open(type)}
                onStop={() => stopping.open(type)}
                onDelete={() => deleting.open(type)}
              />
            ),
          })}
        />
      )}
      <Dialog state={creating} title="Add a ticket type" size="lg">
        {() => <TicketTypeForm event={event} onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`} size="lg">
        {(type) => <TicketTypeForm event={event} type={type} onClose={editing.close} />}
      </Dialog>
      <Dialog
        state={stopping}
        title={stopping.subject?.active ? 'Stop this sale?' : 'Sell it again?'}
      >
        {(type) => <StopSale type={type} onClose={stopping.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this ticket type?">
        {(type) => <DeleteTicketType type={type} onClose={deleting.close} />}
      </Dialog>
    </Panel>
  );
}

interface ActionsProps {
  type: TicketType;
  onEdit: () => void;
  onStop: () => void;
  onDelete: () => void;
}

const Actions = ({ type: { name, active, sold }, onEdit, onStop, onDelete }: ActionsProps) => (
  <>
    <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
      Edit
    </Button>
    <Button
      size="xs"
      variant="default"
      aria-label={active ? `Stop the sale of ${name}` : `Sell ${name} again`}
      onClick={onStop}
    >
      {active ? 'Stop sale' : 'Sell again'}
    </Button>
    {sold === 0 && (
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      >
        Delete
      </Button>
    )}
  </>
);

function Name({ type: { name, description, audience } }: { type: TicketType }) {
  const more = [audience === 'MEMBERS' && 'Members only', description].filter(Boolean).join(' · ');
  return (
    <>
      <Text fw={600} size="sm">
        {name}
      </Text>
      {more && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </>
  );
}

function Sale({ type, event }: { type: TicketType; event: EventDetails }) {
  const { color, label, until } = saleOf(type, event);
  return (
    <Group gap={6}>
      <StateBadge color={color}>{label}</StateBadge>
      {until && (
        <Text size="xs" c="dimmed">
          {until}
        </Text>
      )}
    </Group>
  );
}
