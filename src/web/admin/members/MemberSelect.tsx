import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { toApiError } from '../../api/errors.ts';
import { useMemberSearch } from './queries.ts';

interface Props {
  label?: string;
  /** With the name, as the search results may no longer contain the member. */
  value: { id: string; name: string } | null;
  onChange: (member: { id: string; name: string } | null) => void;
  error?: ReactNode;
}

/** Searches by name or email as staff type. */
export function MemberSelect({ label = 'Member', value, onChange, error }: Props) {
  const [search, setSearch] = useState(value?.name ?? '');
  // After a selection, the input shows the name of the member.
  const [q] = useDebouncedValue(value && search.startsWith(value.name) ? '' : search.trim(), 250);
  const [isUsed, setIsUsed] = useState(false);
  const results = useMemberSearch(q, isUsed);
  const choices = (results.data ?? []).map(({ id, name, email, status }) => ({
    value: id,
    label: `${name}, ${email}${status === 'ACTIVE' ? '' : ` (${status.toLowerCase()})`}`,
    name,
  }));
  const all =
    value && !choices.some((choice) => choice.value === value.id)
      ? [...choices, { value: value.id, label: value.name, name: value.name }]
      : choices;
  return (
    <Select
      label={label}
      placeholder="Search by name or email"
      data={all}
      filter={({ options }) => options}
      searchable
      clearable
      nothingFoundMessage={results.isFetching ? 'Searching…' : 'No matching members'}
      value={value?.id ?? null}
      searchValue={search}
      onFocus={() => setIsUsed(true)}
      onSearchChange={setSearch}
      onChange={(id) => {
        const selected = all.find((choice) => choice.value === id);
        onChange(selected ? { id: selected.value, name: selected.name } : null);
      }}
      error={error ?? (results.error && toApiError(results.error).message)}
    />
  );
}
