import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const SEARCH_DEBOUNCE_MS = 250;

/** The text of a search field, and the query to send once typing pauses: null if there is none. */
export function useSearch(initialText = '') {
  const [text, setText] = useState(initialText);
  const [q] = useDebouncedValue(text.trim(), SEARCH_DEBOUNCE_MS);
  return { text, setText, q: q || null };
}

interface SearchFieldProps {
  /** The label of the search field, such as "Name or email". */
  placeholder: string;
  search: ReturnType<typeof useSearch>;
}

export const SearchField = ({ placeholder, search }: SearchFieldProps) => (
  <TextInput
    type="search"
    label="Search"
    placeholder={placeholder}
    flex="1 1 200px"
    maw={320}
    value={search.text}
    onChange={({ currentTarget: { value } }) => search.setText(value)}
  />
);

interface StatusFilterProps<Status extends string> {
  options: { value: Status; label: string }[];
  /** Null means any status. */
  value: Status | null;
  onChange: (status: Status | null) => void;
  w: number;
}

export function StatusFilter<Status extends string>(props: StatusFilterProps<Status>) {
  const { options, value, onChange, w } = props;
  return (
    <Select
      label="Status"
      w={w}
      data={[{ value: '', label: 'Any' }, ...options.map(({ value, label }) => ({ value, label }))]}
      value={value ?? ''}
      onChange={(status) => onChange((status || null) as Status | null)}
      allowDeselect={false}
    />
  );
}

/** For selects that list records by name. */
export const toSelectOptions = (rows: readonly { id: string; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

interface LocationFilterProps {
  locations: readonly { id: string; name: string }[] | undefined;
  /** Null means all locations. */
  value: string | null;
  onChange: (id: string | null) => void;
}

export const LocationFilter = ({ locations, value, onChange }: LocationFilterProps) => (
  <Select
    label="Location"
    data={[{ value: '', label: 'All locations' }, ...toSelectOptions(locations)]}
    value={value ?? ''}
    onChange={(id) => onChange(id || null)}
    allowDeselect={false}
    maw={280}
  />
);
