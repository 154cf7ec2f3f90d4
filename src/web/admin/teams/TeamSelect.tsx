import { Select } from '@mantine/core';
import { toApiError } from '../../api/errors.ts';
import { useTeamChoices } from './queries.ts';

interface Props {
  label?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** The label for no team. */
  placeholder: string;
  w?: number;
}

export function TeamSelect({ label = 'Team', ...field }: Props) {
  const teams = useTeamChoices();
  return (
    <Select
      label={label}
      data={teams.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      searchable
      clearable
      nothingFoundMessage="No matching team"
      error={teams.error && toApiError(teams.error).message}
      {...field}
    />
  );
}
