import { Card, Group, Stack, Table, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** The accessible name. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  getKey: (row: Row) => string;
  /** Dims rows that are over. */
  isEnded?: (row: Row) => boolean;
  actions?: (row: Row) => ReactNode;
}

/** A table on wide screens, cards on narrow ones. The first column names the row. */
export function DataTable<Row>(props: Props<Row>) {
  const wide = useMediaQuery('(min-width: 68em)', undefined, { getInitialValueInEffect: false });
  return wide ? <TableLayout {...props} /> : <CardLayout {...props} />;
}

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
          <dl className={classes.facts}>
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
