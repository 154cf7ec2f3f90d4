import { Radio, Stack } from '@mantine/core';
import type { SeriesScope } from '../../gql/graphql.ts';
import { SCOPES } from './booking-words.ts';

interface Props {
  label: string;
  /** Null: the booking stands alone, and there is nothing to choose. */
  seriesId: string | null;
  value: SeriesScope;
  onChange: (scope: SeriesScope) => void;
}

export function SeriesScopeField({ label, seriesId, value, onChange }: Props) {
  if (seriesId === null) return null;
  return (
    <Radio.Group label={label} value={value} onChange={(scope) => onChange(scope as SeriesScope)}>
      <Stack gap="xs" mt="xs">
        {SCOPES.map((scope) => (
          <Radio key={scope.value} {...scope} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
