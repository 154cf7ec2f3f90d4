import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { PagedQuery } from '../../api/paged-query.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { isEmailAddress } from '../../components/email-address.ts';
import { toLimitProps } from '../../components/input-values.ts';
import { DescriptionList, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { InfiniteList, QueryBoundary } from '../../components/QueryBoundary.tsx';
import { ErasureRemarks, formatTableName, PersonActions } from './PersonActions.tsx';
import {
  type Erasure,
  type PersonSearch,
  type PersonSummary,
  useErasures,
  usePersonSummary,
} from './queries.ts';
import { RetentionPolicies } from './RetentionPolicies.tsx';

export function PersonalDataPage() {
  const pages = useErasures();
  return (
    <>
      <PageHeader
        title="Personal data"
        description="Answer data requests, erase personal data and set retention periods."
      />
      <Stack>
        <FindPerson />
        {pages.firstPage && <RetentionPolicies policies={pages.firstPage.retentionPolicies} />}
        <Erasures pages={pages} />
      </Stack>
    </>
  );
}

const SEARCH_OPTIONS = [
  { value: 'email', label: 'By email' },
  { value: 'name', label: 'By name' },
];

function FindPerson() {
  const [person, setPerson] = useState<PersonSearch | null>(null);
  const form = useForm({
    initialValues: { by: 'email', email: '', name: '', date: '' },
    validate: {
      email: (email, { by }) =>
        by === 'email' && !isEmailAddress(email.trim()) ? 'Enter an email address' : null,
      name: (name, { by }) => (by === 'name' && name.trim() === '' ? 'Enter the full name' : null),
    },
  });
  const submit = form.onSubmit(({ by, email, name, date }) =>
    setPerson(by === 'email' ? { email: email.trim() } : { name: name.trim(), date: date || null }),
  );
  return (
    <SectionCard
      title="Find a person"
      description="Find members, buyers and guests by email, and visitors without an email address by name."
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" align="flex-start">
          <SegmentedControl
            data={SEARCH_OPTIONS}
            aria-label="Find by"
            {...form.getInputProps('by')}
          />
          {form.values.by === 'email' ? (
            <TextInput
              type="email"
              label="Email address"
              placeholder="ada@example.org"
              {...toLimitProps('DataSubjectInput', 'email')}
              w="100%"
              maw={420}
              {...form.getInputProps('email')}
            />
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%" maw={520}>
              <TextInput
                label="Full name"
                placeholder="Ada Lovelace"
                {...toLimitProps('DataSubjectInput', 'name')}
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

function FoundPerson({ person }: { person: PersonSearch }) {
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
  {
    header: 'By',
    cell: ({ requestedBy }) => <Text size="sm">{requestedBy?.name ?? 'Command line'}</Text>,
  },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Entries', cell: ({ counts }) => <Text size="sm">{sumCounts(counts)}</Text> },
];

function Erasures({ pages }: { pages: PagedQuery<Erasure> }) {
  return (
    <SectionCard title="Erased people" description="A record of erasures without personal data.">
      <InfiniteList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            No personal data has been erased yet.
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

const sumCounts = (counts: { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);
