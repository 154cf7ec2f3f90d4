import { Button, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Confirmation, Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatExactTime } from '../../components/format-ambiguous-time.ts';
import { formatLocalDate } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/SectionCard.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useDeleteTicketType, useSaveTicketType } from './mutations.ts';
import type { EventDetails, TicketType } from './queries.ts';
import { SalesProgress } from './SalesProgress.tsx';
import { TicketTypeForm } from './TicketTypeForm.tsx';

interface TicketTypesProps {
  event: EventDetails;
  canChange: boolean;
}

const createColumns = (event: EventDetails): Column<TicketType>[] => [
  { header: 'Name', cell: (type) => <TicketTypeName type={type} /> },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : formatMoney(price)}</Text>,
  },
  {
    header: 'Sold',
    cell: ({ sold, quantity }) => <SalesProgress sold={sold ?? 0} limit={quantity} />,
  },
  { header: 'Sale', cell: (type) => <TicketSaleStatus type={type} event={event} /> },
];

/** The ticket types of an event. */
export function TicketTypes({ event, canChange }: TicketTypesProps) {
  const creating = useDialog();
  const editing = useDialog<TicketType>();
  const stopping = useDialog<TicketType>();
  const deleting = useDialog<TicketType>();
  return (
    <SectionCard
      title="Ticket types"
      description="Tickets and registrations, each with its own quantity and sale period."
      action={
        canChange && (
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
          {...(canChange && {
            actions: (type: TicketType) => (
              <TicketTypeActions
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
  type: { name, active, sold },
  onEdit,
  onStop,
  onDelete,
}: TicketTypeActionsProps) => (
  <>
    <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
      Edit
    </Button>
    <Button
      size="xs"
      variant="default"
      aria-label={active ? `Stop sales of ${name}` : `Resume sales of ${name}`}
      onClick={onStop}
    >
      {active ? 'Stop sales' : 'Resume sales'}
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

function TicketTypeName({ type: { name, description, audience } }: { type: TicketType }) {
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

function TicketSaleStatus({ type, event }: { type: TicketType; event: EventDetails }) {
  const { color, label, until } = toSaleStatus(type, event);
  return (
    <Group gap={6}>
      <StatusBadge color={color}>{label}</StatusBadge>
      {until && (
        <Text size="xs" c="dimmed">
          {until}
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
    <>
      <FormError error={save.error} />
      <Text size="sm">
        {isOn ? (
          <>
            <b>{name}</b> disappears from the public pages. Sold tickets stay valid, and buyers who
            are paying can finish.
          </>
        ) : (
          <>
            <b>{name}</b> is on sale again during its sale period.
          </>
        )}
      </Text>
      <DialogActions
        label={isOn ? 'Stop sales' : 'Resume sales'}
        onCancel={onClose}
        onConfirm={() => save.mutate({ id, update: { active: !isOn } })}
        pending={save.isPending}
      />
    </>
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
      <b>{name}</b> is deleted for good. A ticket type with orders cannot be deleted: stop its sales
      instead.
    </Confirmation>
  );
}

/** The badge colour, label and dates of the sale. */
function toSaleStatus(
  { active, saleState, salesStartAt, salesEndAt }: TicketType,
  { status, timeZone }: EventDetails,
): { color: string; label: string; until?: string } {
  const moment = (at: string) =>
    `${formatLocalDate(at, timeZone)}, ${formatExactTime(at, timeZone)}`;
  if (!active) return { color: 'gray', label: 'Stopped' };
  switch (saleState) {
    case 'NOT_YET':
      return {
        color: 'yellow',
        label: 'Scheduled',
        until:
          salesStartAt === null || (status === 'DRAFT' && new Date(salesStartAt) <= new Date())
            ? 'When published'
            : `From ${moment(salesStartAt)}`,
      };
    case 'OPEN':
      return {
        color: 'teal',
        label: 'On sale',
        ...(salesEndAt && { until: `Until ${moment(salesEndAt)}` }),
      };
    case 'SOLD_OUT':
      return { color: 'orange', label: 'Sold out' };
    case 'CLOSED':
      return { color: 'gray', label: 'Ended' };
  }
}
