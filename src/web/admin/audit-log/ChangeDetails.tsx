import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import {
  formatBrowserDateTime,
  formatBrowserDateTimeLong,
} from '../../components/browser-time.tsx';
import { formatMoney } from '../../components/money.ts';
import { DescriptionList } from '../../components/PageLayout.tsx';
import {
  findSubject,
  formatActor,
  formatField,
  formatList,
  listFieldChanges,
  type Reference,
  toPlainText,
  toReferencePath,
} from './change-labels.ts';
import type { Change } from './queries.ts';

interface Props {
  change: Change;
  /** Shows all changes of the object with this id. */
  onShowHistory: (subjectId: string) => void;
}

/** Who made a change, from where, and each field before and after. */
export function ChangeDetails({ change, onShowHistory }: Props) {
  const { subjectId } = change;
  const subject = findSubject(change);
  return (
    <Stack gap="md">
      <DescriptionList
        items={[
          ['When', formatBrowserDateTimeLong(new Date(change.at))],
          ['Who', formatActor(change)],
          ['Agent', change.agent],
          ['Address', change.address],
          ['Request', change.requestId],
          [
            'Object',
            subject === null ? (
              change.subjectId
            ) : (
              <ReferenceLink key="object" reference={subject} />
            ),
          ],
          [
            'History',
            subjectId && (
              <Anchor
                key="history"
                component="button"
                size="sm"
                onClick={() => onShowHistory(subjectId)}
              >
                All changes of this object
              </Anchor>
            ),
          ],
        ]}
      />
      <FieldTable change={change} />
    </Stack>
  );
}

/** Each field before and after. */
export function FieldTable({ change }: { change: Change }) {
  const fields = listFieldChanges(change);
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No stored field changed.
      </Text>
    );
  return (
    <Table aria-label="Fields" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Field</Table.Th>
          <Table.Th scope="col">Before</Table.Th>
          <Table.Th scope="col">After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{formatField(field)}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              <Value change={change} field={field} value={before} />
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              <Value change={change} field={field} value={after} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface ShownValue {
  change: Change;
  field: string;
  value: unknown;
}

/** A value, or the name of the object that it identifies. */
function Value({ change, field, value }: ShownValue) {
  const id = isObject(value) && 'id' in value ? value.id : field.endsWith('_id') ? value : null;
  const reference = id !== null && change.references.find((one) => one.id === id);
  if (reference) return <ReferenceLink reference={reference} />;
  return formatValue(field, value) || '–';
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as people read it: local times, and prices with their currency. */
function formatValue(field: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && INSTANT.test(value))
    return formatBrowserDateTime(new Date(value));
  if (Array.isArray(value)) return formatList(field, value);
  if (!isObject(value)) return toPlainText(value);
  const { amount, currency } = value;
  if (typeof amount === 'number' && typeof currency === 'string')
    return formatMoney({ amount, currency });
  const shown = Object.entries(value).filter(([, inner]) => inner !== null);
  return shown
    .map(([name, inner]) => `${formatField(name)}: ${formatValue(name, inner)}`)
    .join(', ');
}

/** The name of an object, with a link to its page if it has one. */
function ReferenceLink({ reference }: { reference: Reference }) {
  const path = toReferencePath(reference);
  if (path === null) return reference.name || '–';
  return (
    <Anchor component={Link} to={path} size="sm">
      {reference.name || '–'}
    </Anchor>
  );
}
