import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { moneyWords } from '../../ui/money.ts';
import { Panel } from '../../ui/Panel.tsx';
import { dayWords } from '../../ui/place-words.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import type { Location } from '../spaces/queries.ts';
import { DayPassTypeForm } from './DayPassTypeForm.tsx';
import { DeleteDayPassType } from './DeleteDayPassType.tsx';
import { leftWords } from './left-words.ts';
import type { DayPassType } from './queries.ts';

interface Props {
  location: Location;
  /** As they stand today. */
  types: DayPassType[];
  /** As they stand on another date, once that is known. */
  then: { date: string; types: DayPassType[] | undefined } | null;
  mayChange: boolean;
}

export function PassesOfLocation({ location, types, then, mayChange }: Props) {
  const creating = useDialog();
  const editing = useDialog<DayPassType>();
  const deleting = useDialog<DayPassType>();
  return (
    <Panel
      title={location.name}
      action={
        mayChange && (
          <Button size="xs" variant="default" onClick={() => creating.open(true)}>
            Add a day pass
          </Button>
        )
      }
    >
      {types.length === 0 ? (
        <Text size="sm">
          {mayChange
            ? 'None yet. Add one, and it is sold on the public pages.'
            : 'None are sold here.'}
        </Text>
      ) : (
        <DataTable
          label={`Day passes of ${location.name}`}
          columns={columnsFor(then)}
          rows={types}
          keyOf={({ id }) => id}
          isEnded={({ active }) => !active}
          {...(mayChange && {
            actions: (type: DayPassType) => (
              <Actions
                type={type}
                onEdit={() => editing.open(type)}
                onDelete={() => deleting.open(type)}
              />
            ),
          })}
        />
      )}
      <Dialog state={creating} title={`A day pass for ${location.name}`}>
        {() => <DayPassTypeForm locationId={location.id} onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`}>
        {(type) => <DayPassTypeForm locationId={location.id} type={type} onClose={editing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this day pass?">
        {(type) => <DeleteDayPassType type={type} onClose={deleting.close} />}
      </Dialog>
    </Panel>
  );
}

const columnsFor = (then: Props['then']): Column<DayPassType>[] => [
  { header: 'Name', cell: (type) => <Name type={type} /> },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : moneyWords(price)}</Text>,
  },
  {
    header: 'On sale',
    cell: ({ daysAhead }) => (
      <Text size="sm">
        {daysAhead === 0 ? 'on the day only' : `up to ${daysAhead} days before`}
      </Text>
    ),
  },
  { header: 'Left today', cell: (type) => <Text size="sm">{leftWords(type)}</Text> },
  ...(then === null ? [] : [leftThen(then.date, then.types)]),
  {
    header: 'State',
    cell: ({ active }) =>
      active ? (
        <StateBadge color="teal">Offered</StateBadge>
      ) : (
        <StateBadge color="gray">Withdrawn</StateBadge>
      ),
  },
];

const leftThen = (date: string, types: DayPassType[] | undefined): Column<DayPassType> => ({
  header: `Left ${dayWords(date)}`,
  cell: ({ id }) => {
    const type = types?.find((type) => type.id === id);
    return <Text size="sm">{type ? leftWords(type) : '…'}</Text>;
  },
});

interface ActionsProps {
  type: DayPassType;
  onEdit: () => void;
  onDelete: () => void;
}

const Actions = ({ type: { name }, onEdit, onDelete }: ActionsProps) => (
  <>
    <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
      Edit
    </Button>
    <Button size="xs" variant="subtle" color="red" aria-label={`Delete ${name}`} onClick={onDelete}>
      Delete
    </Button>
  </>
);

const Name = ({ type: { name, description } }: { type: DayPassType }) => (
  <>
    <Text fw={600} size="sm">
      {name}
    </Text>
    {description && (
      <Text size="xs" c="dimmed">
        {description}
      </Text>
    )}
  </>
);
