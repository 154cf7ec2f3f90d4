import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatBrowserDateTimeLong } from '../../components/browser-time.tsx';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { formatActor, formatField, listFieldChanges, toSubjectPath } from './change-labels.ts';
import type { Change } from './queries.ts';

/** Who made a change, from where, and each field before and after. */
export function ChangeDetails({ change }: { change: Change }) {
  const path = toSubjectPath(change);
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
            path === null ? (
              change.subjectId
            ) : (
              <Anchor key="object" component={Link} to={path}>
                Open
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
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{before || '–'}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{after || '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
