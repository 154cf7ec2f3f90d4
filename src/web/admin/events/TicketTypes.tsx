import { Button, Group, Text } from '@mantine/core';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import {
  type Column,
  DataTable,
  isAnyAllowed,
  NameCell,
  RowAction,
} from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import { SalesProgress } from './EventsTable.tsx';
import type { EventDetails } from './event-page-query.ts';
import { useDeleteTicketType, useSaveTicketType } from './mutations.ts';
import type { TicketType } from './queries.ts';
import { TicketTypeForm } from './TicketTypeForm.tsx';

type TicketTypeRow = EventDetails['ticketTypes'][number];

const createColumns = (event: EventDetails): Column<TicketTypeRow>[] => [
  {
    header: 'Name',
    cell: ({ name, description, audience }) => (
      <NameCell
        name={name}
        details={[audience === 'MEMBERS' && 'Members only', description]
          .filter(Boolean)
          .join(' · ')}
      />
    ),
  },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : formatMoney(price)}</Text>,
  },
  {
    header: 'Sold or on hold',
    cell: ({ reservedCount, quantity }) => (
      <SalesProgress sold={reservedCount ?? 0} limit={quantity} />
    ),
  },
  ...(event.orders
    ? [
        {
          header: 'Issued',
          cell: ({ tickets }: TicketTypeRow) => (
            <Text size="sm">{tickets?.totalCount.text ?? '–'}</Text>
          ),
        },
      ]
    : []),
  { header: 'Sale', cell: (type) => <TicketSaleStatus type={type} event={event} /> },
];

export function TicketTypes({ event }: { event: EventDetails }) {
  const creating = useDialog();
  const editing = useDialog<TicketType>();
  const stopping = useDialog<TicketType>();
  const deleting = useDialog<TicketType>();
  return (
    <SectionCard
      title="Ticket types"
      description="Tickets and registrations, each with its own quantity and sale period."
      action={
        event.allowedActions.createTicketType && (
          <Button size="xs" onClick={() => creating.open(true)}>
            Add a ticket type
          </Button>
        )
      }
    >
      {event.ticketTypes.length === 0 ? (
        <Text size="sm">No ticket types. Add one so that people can sign up.</Text>
      ) : (
        <DataTable
          label="Ticket types"
          columns={createColumns(event)}
          rows={event.ticketTypes}
          getKey={({ id }) => id}
          isEnded={({ active }) => !active}
          actions={(type) =>
            isAnyAllowed(type.allowedActions) && (
              <TicketTypeActions
                type={type}
                onEdit={() => editing.open(type)}
                onStop={() => stopping.open(type)}
                onDelete={() => deleting.open(type)}
              />
            )
          }
        />
      )}
      <Dialog state={creating} title="Add a ticket type" size="lg">
        {() => <TicketTypeForm event={event} onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`} size="lg">
        {(type) => <TicketTypeForm event={event} type={type} onClose={editing.close} />}
      </Dialog>
      <Dialog state={stopping} title={stopping.subject?.active ? 'Stop sales?' : 'Resume sales?'}>
        {(type) => <ToggleSaleConfirmation type={type} onClose={stopping.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete ticket type?">
        {(type) => <DeleteTicketTypeConfirmation type={type} onClose={deleting.close} />}
      </Dialog>
    </SectionCard>
  );
}

interface TicketTypeActionsProps {
  type: TicketType;
  onEdit: () => void;
  onStop: () => void;
  onDelete: () => void;
}

const TicketTypeActions = ({
  type: { name, active, allowedActions: allowed },
  onEdit,
  onStop,
  onDelete,
}: TicketTypeActionsProps) => (
  <>
    {allowed.update && <RowAction label="Edit" row={name} onClick={onEdit} />}
    {allowed.update && (
      <Button
        size="xs"
        variant="default"
        aria-label={active ? `Stop sales of ${name}` : `Resume sales of ${name}`}
        onClick={onStop}
      >
        {active ? 'Stop sales' : 'Resume sales'}
      </Button>
    )}
    {allowed.delete && <RowAction label="Delete" row={name} isDestructive onClick={onDelete} />}
  </>
);

function TicketSaleStatus({ type, event }: { type: TicketType; event: EventDetails }) {
  const { color, label, note } = toSaleStatus(type, event);
  return (
    <Group gap={6}>
      <StatusBadge color={color}>{label}</StatusBadge>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Group>
  );
}

/** Stops or resumes the sale of a ticket type. */
function ToggleSaleConfirmation({ type, onClose }: { type: TicketType; onClose: () => void }) {
  const { id, name } = type;
  const isOn = type.active === true;
  const save = useSaveTicketType(() => {
    notifySuccess(isOn ? `Sales of ${name} stopped.` : `Sales of ${name} resumed.`);
    onClose();
  });
  return (
    <Confirmation
      label={isOn ? 'Stop sales' : 'Resume sales'}
      isDestructive={false}
      onCancel={onClose}
      onConfirm={() => save.mutate({ update: { id, active: !isOn } })}
      pending={save.isPending}
      error={save.error}
    >
      <b>{name}</b>{' '}
      {isOn
        ? 'disappears from the public pages. Sold tickets stay valid, and buyers who are paying can finish.'
        : 'is on sale again during its sale period.'}
    </Confirmation>
  );
}

interface DeleteTicketTypeConfirmationProps {
  type: TicketType;
  onClose: () => void;
}

function DeleteTicketTypeConfirmation({
  type: { id, name },
  onClose,
}: DeleteTicketTypeConfirmationProps) {
  const remove = useDeleteTicketType(() => {
    notifySuccess(`${name} deleted.`);
    onClose();
  });
  return (
    <Confirmation
      label="Delete ticket type"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{name}</b> is deleted permanently. A ticket type with orders cannot be deleted: stop its
      sales instead.
    </Confirmation>
  );
}

function toSaleStatus(
  { active, saleState, salesStartAt, salesEndAt }: TicketType,
  { status, timeZone }: EventDetails,
): { color: string; label: string; note?: string } {
  if (!active) return { color: 'gray', label: 'Stopped' };
  switch (saleState) {
    case 'NOT_YET':
      return {
        color: 'yellow',
        label: 'Scheduled',
        note:
          salesStartAt === null || (status === 'DRAFT' && new Date(salesStartAt) <= new Date())
            ? 'When published'
            : `From ${formatLocalDateTime(salesStartAt, timeZone)}`,
      };
    case 'OPEN':
      return {
        color: 'teal',
        label: 'On sale',
        ...(salesEndAt && { note: `Until ${formatLocalDateTime(salesEndAt, timeZone)}` }),
      };
    case 'SOLD_OUT':
      return { color: 'orange', label: 'Sold out' };
    case 'CLOSED':
      return { color: 'gray', label: 'Ended' };
  }
}
