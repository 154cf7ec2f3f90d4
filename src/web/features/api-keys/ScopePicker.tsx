import { Button, Checkbox, Group, Input, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { asApiError } from '../../api/errors.ts';
import { may, useStaff } from '../../session/viewer.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useScopes } from './queries.ts';
import { ScopesOfNoun } from './ScopesOfNoun.tsx';
import { ALL_SCOPES, byNoun, isSameSet } from './scope-words.ts';

interface Props {
  value: string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

export function ScopePicker({ value, onChange, error }: Props) {
  const known = useScopes();
  const canGrantAll = may(useStaff(), ALL_SCOPES);
  if (known.error) return <ErrorState error={asApiError(known.error)} retry={known.refetch} />;
  if (!known.data) return <Skeleton height={320} role="status" aria-label="Loading" />;
  const { scopes } = known.data;
  const scopePresets = known.data.scopePresets.filter(
    (preset) => canGrantAll || !preset.scopes.includes(ALL_SCOPES),
  );
  const descriptions = new Map(scopes.map(({ scope, description }) => [scope, description]));
  const isEverything = value.includes(ALL_SCOPES);
  const toggle = (scope: string) =>
    onChange(value.includes(scope) ? value.filter((one) => one !== scope) : [...value, scope]);
  return (
    <Stack gap="sm" role="group" aria-labelledby="scopes-label" aria-describedby="scopes-error">
      <div>
        <Input.Label id="scopes-label" labelElement="div">
          What it may do
        </Input.Label>
        <Input.Description>
          Start from a preset, or choose by hand. Less is safer.
        </Input.Description>
      </div>
      <Group gap="xs">
        {scopePresets.map((preset) => (
          <Button
            key={preset.name}
            size="xs"
            variant={isSameSet(preset.scopes, value) ? 'filled' : 'default'}
            aria-pressed={isSameSet(preset.scopes, value)}
            onClick={() => onChange(preset.scopes)}
          >
            {preset.name}
          </Button>
        ))}
      </Group>
      <Checkbox
        label="Everything"
        description={
          canGrantAll
            ? descriptions.get(ALL_SCOPES)
            : 'Only owners create keys with all permissions'
        }
        checked={isEverything}
        disabled={!canGrantAll}
        onChange={() => onChange(isEverything ? [] : [ALL_SCOPES])}
      />
      {byNoun([...descriptions.keys()]).map(({ noun, verbs }) => (
        <ScopesOfNoun
          key={noun}
          noun={noun}
          verbs={verbs}
          descriptions={descriptions}
          isChosen={(scope) => isEverything || value.includes(scope)}
          disabled={isEverything}
          onToggle={toggle}
        />
      ))}
      <Input.Error id="scopes-error" role="alert">
        {error}
      </Input.Error>
    </Stack>
  );
}
