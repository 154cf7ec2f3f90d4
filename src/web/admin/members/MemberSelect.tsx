import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { toApiError } from '../../api/errors.ts';
import { useMemberSearch } from './queries.ts';

interface Props {
  /** With the name, which the list of the found need not hold any more. */
  value: { id: string; name: string } | null;
  onChange: (member: { id: string; name: string } | null) => void;
  error?: ReactNode;
}

/** Searches as the name is typed. */
export function MemberSelect({ value, onChange, error }: Props) {
  const [typed, setTyped] = useState(value?.name ?? '');
  // What stands there after a choice is a name, not a search.
  const [q] = useDebouncedValue(value && typed.startsWith(value.name) ? '' : typed.trim(), 250);
  const found = useMemberSearch(q);
  const choices = (found.data ?? []).map(({ id, name, email, status }) => ({
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
      label="Member"
      placeholder="Type a name or an address"
      data={all}
      filter={({ options }) => options}
      searchable
      clearable
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'Nobody of that name'}
      value={value?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const chosen = all.find((choice) => choice.value === id);
        onChange(chosen ? { id: chosen.value, name: chosen.name } : null);
      }}
      error={error ?? (found.error && toApiError(found.error).message)}
    />
  );
}
