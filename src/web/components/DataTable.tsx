import { Anchor, Button, Card, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
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

function TableLayout<Row>({ label, columns, rows, getKey, isEnded, actions }: Props<Row>) {
  return (
    <div className={classes.frame}>
      <Table aria-label={label} verticalSpacing="sm" horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
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

function CardLayout<Row>({ label, columns, rows, getKey, isEnded, actions }: Props<Row>) {
  const [title, ...rest] = columns;
  return (
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
          {title?.cell(row)}
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
