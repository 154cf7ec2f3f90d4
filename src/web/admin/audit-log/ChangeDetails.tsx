import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatBrowserDateTimeLong } from '../../components/browser-time.tsx';
import { DescriptionList } from '../../components/PageLayout.tsx';
import {
  findSubject,
  formatActor,
  formatField,
  listFieldChanges,
  type Reference,
  toReferencePath,
} from './change-labels.ts';
import { formatValue } from './format-value.ts';
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

function FieldTable({ change }: { change: Change }) {
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
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Value change={change} field={field} value={before} />
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Value change={change} field={field} value={after} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** A value, or the name of the object that it identifies. */
function Value({ change, field, value }: { change: Change; field: string; value: unknown }) {
  const reference = field.endsWith('_id') && change.references.find(({ id }) => id === value);
  if (reference) return <ReferenceLink reference={reference} />;
  return formatValue(change, field, value) || '–';
}

/** The name of an object, with a link to its page if it has one. */
function ReferenceLink({ reference }: { reference: Reference }) {
  const path = toReferencePath(reference);
  if (path === null) return reference.name || '–';
  return (
    <Anchor component={Link} to={path} size="sm">
      {reference.name}
    </Anchor>
  );
}
