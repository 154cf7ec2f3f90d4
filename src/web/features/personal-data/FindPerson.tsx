import { Button, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Panel } from '../../ui/Panel.tsx';
import { PersonFound } from './PersonFound.tsx';
import type { PersonSearch } from './queries.ts';

const WAYS = [
  { value: 'email', label: 'By e-mail address' },
  { value: 'name', label: 'By name' },
];

export function FindPerson() {
  const [person, setPerson] = useState<PersonSearch | null>(null);
  const form = useForm({
    initialValues: { way: 'email', email: '', name: '', date: '' },
    validate: {
      email: (email, { way }) =>
        way === 'email' && !/^\S+@\S+\.\S+$/.test(email.trim()) ? 'Type an e-mail address' : null,
      name: (name, { way }) =>
        way === 'name' && name.trim() === '' ? 'Type the whole name' : null,
    },
  });
  const submit = form.onSubmit(({ way, email, name, date }) =>
    setPerson(
      way === 'email' ? { email: email.trim() } : { name: name.trim(), date: date || null },
    ),
  );
  return (
    <Panel
      title="Find a person"
      description="Members, buyers, guests and everybody who left an address are found by it. Visitors and others who left only a name are found by that."
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" align="flex-start">
          <SegmentedControl data={WAYS} aria-label="Find by" {...form.getInputProps('way')} />
          {form.values.way === 'email' ? (
            <TextInput
              type="email"
              label="E-mail address"
              placeholder="ada@example.org"
              maxLength={254}
              w="100%"
              maw={420}
              {...form.getInputProps('email')}
            />
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%" maw={520}>
              <TextInput
                label="Whole name"
                placeholder="Ada Lovelace"
                maxLength={200}
                {...form.getInputProps('name')}
              />
              <TextInput type="date" label="Day (optional)" {...form.getInputProps('date')} />
            </SimpleGrid>
          )}
          <Button type="submit" variant="default">
            Find
          </Button>
        </Stack>
      </form>
      {person && <PersonFound key={JSON.stringify(person)} person={person} />}
    </Panel>
  );
}
