import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { MemberColumn } from '../../gql/graphql.ts';
import type { ImportReport } from './import-queries.ts';

const FIELD_OPTIONS: { value: MemberColumn; label: string }[] = [
  { value: 'NAME', label: 'Name' },
  { value: 'FIRST_NAME', label: 'First name' },
  { value: 'LAST_NAME', label: 'Last name' },
  { value: 'EMAIL', label: 'Email address' },
  { value: 'PHONE', label: 'Phone' },
  { value: 'COMPANY', label: 'Company' },
  { value: 'ADDRESS', label: 'Street and number' },
  { value: 'POSTCODE', label: 'Postcode' },
  { value: 'CITY', label: 'City' },
  { value: 'COUNTRY', label: 'Country' },
  { value: 'CUSTOMER_NUMBER', label: 'Customer number' },
  { value: 'STATUS', label: 'Status' },
  { value: 'ACTIVE', label: 'Whether active' },
  { value: 'APPROVED', label: 'Whether approved' },
  { value: 'TEAM', label: 'Team' },
  { value: 'PLAN', label: 'Plan' },
  { value: 'STARTS_ON', label: 'Start date' },
  { value: 'ENDS_ON', label: 'End date' },
];

interface ColumnChoicesProps {
  columns: ImportReport['columns'];
  /** Null while nobody has changed what the service recognizes. */
  chosen: (MemberColumn | null)[] | null;
  onChange: (chosen: (MemberColumn | null)[]) => void;
}

/** Chooses what each column of a list contains. */
export function ColumnChoices({ columns, chosen, onChange }: ColumnChoicesProps) {
  const fields = chosen ?? columns.map(({ field }) => field);
  return (
    <Stack gap={4} role="group" aria-label="Columns">
      <Text size="sm" fw={500}>
        Columns
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {columns.map(({ name }, index) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have one name, and none moves
            key={index}
            label={name || `Column ${index + 1}`}
            placeholder="Not imported"
            data={FIELD_OPTIONS}
            value={fields[index] ?? null}
            onChange={(field) =>
              onChange(fields.map((old, at) => (at === index ? (field as MemberColumn) : old)))
            }
            clearable
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
