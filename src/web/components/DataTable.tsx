import {
  Anchor,
  Button,
  Card,
  Checkbox,
  Group,
  Stack,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './DataTable.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** The accessible name of the table. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  getKey: (row: Row) => string;
  /** Ended rows are dimmed. */
  isEnded?: (row: Row) => boolean;
  /** Returns null for a row without actions. If no row has any, the column is left out. */
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Adds a checkbox to each row. */
  selection?: Selection<Row> | undefined;
}

interface Selection<Row> {
  /** The keys of the chosen rows. */
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** The name of a row, for screen readers. */
  getName: (row: Row) => string;
}

/** A table on wide screens, cards on narrow ones. The first column becomes the heading of the card. */
export function DataTable<Row>(props: Props<Row>) {
  const wide = useMediaQuery('(min-width: 68em)', undefined, { getInitialValueInEffect: false });
  const { rows, actions } = props;
  const hasActions = actions !== undefined && rows.some((row) => actions(row));
  const shown = hasActions ? props : { ...props, actions: undefined };
  return wide ? <TableLayout {...shown} /> : <CardLayout {...shown} />;
}

/** Whether the service allows any of the actions. */
export const isAnyAllowed = (allowed: object) => Object.values(allowed).includes(true);

function TableLayout<Row>(props: Props<Row>) {
  const { label, columns, rows, getKey, isEnded, actions, selection } = props;
  return (
    <div className={classes.frame}>
      <Table aria-label={label} verticalSpacing="sm" horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th scope="col" className={classes.checkbox}>
                <SelectAll rows={rows} getKey={getKey} selection={selection} />
              </Table.Th>
            )}
            {columns.map(({ header }) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={getKey(row)} data-ended={isEnded?.(row) || undefined}>
              {selection && (
                <Table.Td className={classes.checkbox}>
                  <SelectRow row={row} getKey={getKey} selection={selection} />
                </Table.Td>
              )}
              {columns.map(({ header, cell }) => (
                <Table.Td key={header} className={classes.cell}>
                  {cell(row)}
                </Table.Td>
              ))}
              {actions && (
                <Table.Td className={classes.cell}>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    {actions(row)}
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function CardLayout<Row>(props: Props<Row>) {
  const { label, columns, rows, getKey, isEnded, actions, selection } = props;
  const [title, ...rest] = columns;
  return (
    <>
      {selection && (
        <SelectAll rows={rows} getKey={getKey} selection={selection} label="Select all" />
      )}
      <Stack component="ul" aria-label={label} className={classes.cards} gap="sm">
        {rows.map((row) => (
          <Card
            component="li"
            key={getKey(row)}
            withBorder
            radius="md"
            padding="md"
            data-ended={isEnded?.(row) || undefined}
          >
            {selection ? (
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <SelectRow row={row} getKey={getKey} selection={selection} />
                <div>{title?.cell(row)}</div>
              </Group>
            ) : (
              title?.cell(row)
            )}
            <dl className={classes.fields}>
              {rest.map(({ header, cell }) => (
                <div key={header}>
                  <dt>{header}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
            </dl>
            {actions && <Group gap="xs">{actions(row)}</Group>}
          </Card>
        ))}
      </Stack>
    </>
  );
}

interface SelectAllProps<Row> extends Pick<Props<Row>, 'rows' | 'getKey'> {
  selection: Selection<Row>;
  /** Without it, only screen readers read what the checkbox does. */
  label?: string;
}

function SelectAll<Row>({ rows, getKey, selection, label }: SelectAllProps<Row>) {
  const isAll = rows.every((row) => selection.selected.has(getKey(row)));
  return (
    <Checkbox
      {...(label ? { label, mb: 'sm' } : { 'aria-label': 'Select all' })}
      checked={isAll}
      indeterminate={!isAll && selection.selected.size > 0}
      onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(getKey)))}
    />
  );
}

interface SelectRowProps<Row> {
  row: Row;
  getKey: (row: Row) => string;
  selection: Selection<Row>;
}

function SelectRow<Row>({ row, getKey, selection }: SelectRowProps<Row>) {
  const key = getKey(row);
  const isSelected = selection.selected.has(key);
  const change = () => {
    const others = [...selection.selected].filter((other) => other !== key);
    selection.onChange(new Set(isSelected ? others : [...others, key]));
  };
  return (
    <Checkbox
      aria-label={`Select ${selection.getName(row)}`}
      checked={isSelected}
      onChange={change}
    />
  );
}

interface NameCellProps {
  name: ReactNode;
  /** The page of the row. */
  to?: string;
  /** Shown below the name. */
  details?: ReactNode;
}

/** The first cell of a row. */
export const NameCell = ({ name, to, details }: NameCellProps) => (
  <>
    {to === undefined ? (
      <Text fw={600} size="sm" style={WRAP_ANYWHERE}>
        {name}
      </Text>
    ) : (
      <Anchor component={Link} to={to} fw={600} size="sm" style={WRAP_ANYWHERE}>
        {name}
      </Anchor>
    )}
    {details && (
      <Text size="xs" c="dimmed" style={WRAP_ANYWHERE}>
        {details}
      </Text>
    )}
  </>
);

interface RowActionProps {
  label: string;
  /** The name of the row, for screen readers. */
  row: string;
  isDestructive?: boolean;
  loading?: boolean;
  onClick: () => void;
}

/** A button for one row of a table or list. */
export const RowAction = ({ label, row, isDestructive, loading, onClick }: RowActionProps) => (
  <Button
    size="xs"
    variant={isDestructive ? 'subtle' : 'default'}
    color={isDestructive ? 'red' : undefined}
    style={{ flexShrink: 0 }}
    aria-label={`${label} ${row}`}
    loading={loading ?? false}
    onClick={onClick}
  >
    {label}
  </Button>
);

const WRAP_ANYWHERE = { overflowWrap: 'anywhere' } as const;

/** "3 of 10", or "3" if there is no limit. */
export const formatCountOf = (count: number, limit: number | null) =>
  limit === null ? `${count}` : `${count} of ${limit}`;
