import { Group, Stack, Text } from '@mantine/core';
import { Facts } from '../../ui/Facts.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { nounOf } from './labels.ts';
import { PersonActions } from './PersonActions.tsx';
import { type PersonSearch, type PersonSummary, usePersonSummary } from './queries.ts';
import { Remarks } from './Remarks.tsx';

export function PersonFound({ person }: { person: PersonSearch }) {
  const summary = usePersonSummary(person);
  return (
    <Stack mt="lg" gap="sm" role="region" aria-label="What is stored">
      <Loaded query={summary} height={120}>
        {(summary) =>
          summary.counts.length === 0 ? (
            <Text role="status">Nothing is stored about {person.email ?? person.name}.</Text>
          ) : (
            <Stored person={person} summary={summary} />
          )
        }
      </Loaded>
    </Stack>
  );
}

function Stored({ person, summary }: { person: PersonSearch; summary: PersonSummary }) {
  return (
    <>
      <Text role="status" fw={600}>
        Stored about {person.email ?? person.name}
      </Text>
      <Facts
        of={[
          ['Names', summary.names.join(', ')],
          ...summary.counts.map(({ table, count }): [string, string] => [
            nounOf(table),
            String(count),
          ]),
        ]}
      />
      <Remarks summary={summary} />
      <Group>
        <PersonActions
          person={person}
          confirmation={person.email ?? person.name ?? ''}
          summary={summary}
        />
      </Group>
    </>
  );
}
