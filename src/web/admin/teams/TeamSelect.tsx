import { Select } from '@mantine/core';
import { toApiError } from '../../api/errors.ts';
import { useTeamChoices } from './queries.ts';

interface Props {
  label?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** What no team at all is called here. */
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
      nothingFoundMessage="No such team"
      error={teams.error && toApiError(teams.error).message}
      {...field}
    />
  );
}
