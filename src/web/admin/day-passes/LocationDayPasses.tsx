import { Button, Text } from '@mantine/core';
import { formatDate } from '../../../core/time/format.ts';
import {
  type Column,
  DataTable,
  formatCountOf,
  NameCell,
  RowAction,
} from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import type { DayPassUnsoldReason } from '../../gql/graphql.ts';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { DayPassTypeForm } from './DayPassTypeForm.tsx';
import { type DayPassType, useDeleteDayPassType } from './queries.ts';

interface LocationDayPassesProps {
  location: LocationChoice;
  types: DayPassType[];
  /** Another date whose availability is shown, too. */
  date: string | null;
  canChange: boolean;
}

export function LocationDayPasses({ location, types, date, canChange }: LocationDayPassesProps) {
  const creating = useDialog();
  const editing = useDialog<DayPassType>();
  const deleting = useDialog<DayPassType>();
  return (
    <SectionCard
      title={location.name}
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => creating.open(true)}>
            Add a day pass
          </Button>
        )
      }
    >
      {types.length === 0 ? (
        <Text size="sm">
          {canChange
            ? 'No day passes yet. Add one to sell it on the public pages.'
            : 'No day passes are sold here.'}
        </Text>
      ) : (
        <DataTable
          label={`Day passes of ${location.name}`}
          columns={createColumns(date)}
          rows={types}
          getKey={({ id }) => id}
          isEnded={({ active }) => !active}
          {...(canChange && {
            actions: (type: DayPassType) => (
              <DayPassTypeActions
                type={type}
                onEdit={() => editing.open(type)}
                onDelete={() => deleting.open(type)}
              />
            ),
          })}
        />
      )}
      <Dialog state={creating} title={`Add a day pass for ${location.name}`}>
        {() => <DayPassTypeForm locationId={location.id} onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`}>
        {(type) => <DayPassTypeForm locationId={location.id} type={type} onClose={editing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete day pass?">
        {(type) => <DeleteDayPassTypeConfirmation type={type} onClose={deleting.close} />}
      </Dialog>
    </SectionCard>
  );
}

const createColumns = (date: string | null): Column<DayPassType>[] => [
  {
    header: 'Name',
    cell: ({ name, description }) => <NameCell name={name} details={description} />,
  },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : formatMoney(price)}</Text>,
  },
  {
    header: 'Advance sale',
    cell: ({ daysAhead }) => (
      <Text size="sm">{daysAhead === 0 ? 'same day only' : `up to ${daysAhead} days before`}</Text>
    ),
  },
  { header: 'Left today', cell: (type) => <Text size="sm">{formatPassesLeft(type)}</Text> },
  ...(date === null ? [] : [createDateColumn(date)]),
  {
    header: 'Status',
    cell: ({ active }) =>
      active ? (
        <StatusBadge color="teal">On sale</StatusBadge>
      ) : (
        <StatusBadge color="gray">Off sale</StatusBadge>
      ),
  },
];

/** While another date loads, the types still have the stock of the previous one. */
const createDateColumn = (date: string): Column<DayPassType> => ({
  header: `Left ${formatDate(date)}`,
  cell: ({ dailyCapacity, stockOnDate: stock }) => (
    <Text size="sm">{stock?.date === date ? formatPassesLeft({ dailyCapacity, stock }) : '…'}</Text>
  ),
});

interface DayPassTypeActionsProps {
  type: DayPassType;
  onEdit: () => void;
  onDelete: () => void;
}

const DayPassTypeActions = ({ type: { name }, onEdit, onDelete }: DayPassTypeActionsProps) => (
  <>
    <RowAction label="Edit" row={name} onClick={onEdit} />
    <RowAction label="Delete" row={name} isDestructive onClick={onDelete} />
  </>
);

interface DeleteDayPassTypeConfirmationProps {
  type: DayPassType;
  onClose: () => void;
}

function DeleteDayPassTypeConfirmation({
  type: { id, name },
  onClose,
}: DeleteDayPassTypeConfirmationProps) {
  const remove = useDeleteDayPassType(() => {
    notifySuccess(`${name} deleted.`);
    onClose();
  });
  return (
    <Confirmation
      label="Delete day pass"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      This deletes <b>{name}</b> permanently. A day pass with orders cannot be deleted: edit it and
      turn off “On sale” instead.
    </Confirmation>
  );
}

const UNSOLD_REASON_LABELS: Record<DayPassUnsoldReason, string> = {
  INACTIVE: 'not on sale',
  DATE_PAST: 'over',
  TOO_FAR_AHEAD: 'not on sale yet',
  CLOSED: 'location closed',
  SOLD_OUT: 'sold out',
};

/** "3 of 10", "sold out", "unlimited" */
export function formatPassesLeft({
  dailyCapacity,
  stock: { left, reason },
}: Pick<DayPassType, 'dailyCapacity'> & {
  stock: Pick<DayPassType['stock'], 'left' | 'reason'>;
}): string {
  if (reason !== null) return UNSOLD_REASON_LABELS[reason];
  if (left === null) return 'unlimited';
  return formatCountOf(left, dailyCapacity);
}
