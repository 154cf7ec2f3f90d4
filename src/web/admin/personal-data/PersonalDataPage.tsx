import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { formatTableName, sumCounts } from './labels.ts';
import { ErasureRemarks, PersonActions } from './PersonActions.tsx';
import {
  type Erasure,
  type PersonSearch,
  type PersonSummary,
  useErasures,
  usePersonSummary,
} from './queries.ts';
import { RetentionPolicies } from './RetentionPolicies.tsx';

export function PersonalDataPage() {
  return (
    <>
      <PageHeader
        title="Personal data"
        description="Answer data requests, erase people and set retention periods."
      />
      <Stack>
        <FindPerson />
        <RetentionPolicies />
        <Erasures />
      </Stack>
    </>
  );
}

const SEARCH_OPTIONS = [
  { value: 'email', label: 'By email' },
  { value: 'name', label: 'By name' },
];

export function FindPerson() {
  const [person, setPerson] = useState<PersonSearch | null>(null);
  const form = useForm({
    initialValues: { way: 'email', email: '', name: '', date: '' },
    validate: {
      email: (email, { way }) =>
        way === 'email' && !/^\S+@\S+\.\S+$/.test(email.trim()) ? 'Enter an email address' : null,
      name: (name, { way }) =>
        way === 'name' && name.trim() === '' ? 'Enter the full name' : null,
    },
  });
  const submit = form.onSubmit(({ way, email, name, date }) =>
    setPerson(
      way === 'email' ? { email: email.trim() } : { name: name.trim(), date: date || null },
    ),
  );
  return (
    <SectionCard
      title="Find a person"
      description="Find members, buyers and guests by email. Find visitors who gave only a name by name."
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" align="flex-start">
          <SegmentedControl
            data={SEARCH_OPTIONS}
            aria-label="Find by"
            {...form.getInputProps('way')}
          />
          {form.values.way === 'email' ? (
            <TextInput
              type="email"
              label="Email address"
              placeholder="ada@example.org"
              maxLength={254}
              w="100%"
              maw={420}
              {...form.getInputProps('email')}
            />
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%" maw={520}>
              <TextInput
                label="Full name"
                placeholder="Ada Lovelace"
                maxLength={200}
                {...form.getInputProps('name')}
              />
              <TextInput type="date" label="Date (optional)" {...form.getInputProps('date')} />
            </SimpleGrid>
          )}
          <Button type="submit" variant="default">
            Find
          </Button>
        </Stack>
      </form>
      {person && <FoundPerson key={JSON.stringify(person)} person={person} />}
    </SectionCard>
  );
}

export function FoundPerson({ person }: { person: PersonSearch }) {
  const summary = usePersonSummary(person);
  return (
    <Stack mt="lg" gap="sm" role="region" aria-label="Stored data">
      <QueryBoundary query={summary} height={120}>
        {(summary) =>
          summary.counts.length === 0 ? (
            <Text role="status">Nothing is stored about {person.email ?? person.name}.</Text>
          ) : (
            <StoredData person={person} summary={summary} />
          )
        }
      </QueryBoundary>
    </Stack>
  );
}

function StoredData({ person, summary }: { person: PersonSearch; summary: PersonSummary }) {
  return (
    <>
      <Text role="status" fw={600}>
        Stored about {person.email ?? person.name}
      </Text>
      <DescriptionList
        items={[
          ['Names', summary.names.join(', ')],
          ...summary.counts.map(({ table, count }): [string, string] => [
            formatTableName(table),
            String(count),
          ]),
        ]}
      />
      <ErasureRemarks summary={summary} />
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

const columns: Column<Erasure>[] = [
  { header: 'When', cell: ({ createdAt }) => <DateTime at={createdAt} format="day" /> },
  { header: 'By', cell: ({ erasedBy }) => <Text size="sm">{erasedBy ?? 'Command line'}</Text> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Entries', cell: ({ counts }) => <Text size="sm">{sumCounts(counts)}</Text> },
];

export function Erasures() {
  const pages = useErasures();
  return (
    <SectionCard title="Erased people" description="A record of erasures without personal data.">
      <InfiniteList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            No one has been erased yet.
          </Text>
        }
      >
        {(erasures) => (
          <DataTable
            label="Erased people"
            columns={columns}
            rows={erasures}
            getKey={({ id }) => id}
          />
        )}
      </InfiniteList>
    </SectionCard>
  );
}
