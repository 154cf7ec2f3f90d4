import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { toApiError } from '../../api/errors.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { type TeamChoice, useTeamChoices } from './queries.ts';

interface FieldProps {
  label?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** The label for no team. */
  placeholder?: string;
  w?: number;
  error?: ReactNode;
}

interface TeamSelectProps extends FieldProps {
  /** Undefined while loading. */
  teams: TeamChoice[] | undefined;
}

export const TeamSelect = ({ label = 'Team', teams, ...field }: TeamSelectProps) => (
  <Select
    label={label}
    data={toSelectOptions(teams)}
    searchable
    clearable
    nothingFoundMessage="No matching team"
    {...field}
  />
);

/** Loads the teams itself, for dialogs. */
export function LoadingTeamSelect(field: FieldProps) {
  const teams = useTeamChoices();
  return (
    <TeamSelect
      teams={teams.data}
      {...field}
      error={field.error ?? (teams.error && toApiError(teams.error).message)}
    />
  );
}
