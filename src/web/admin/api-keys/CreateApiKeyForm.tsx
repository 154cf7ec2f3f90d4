import {
  Button,
  Checkbox,
  Group,
  Input,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { toApiError } from '../../api/errors.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import type { CreateApiTokenInput } from '../../gql/graphql.ts';
import {
  ALL_SCOPES,
  formatScopeNoun,
  groupScopesByNoun,
  isSameSet,
  useCreateApiKey,
  useScopes,
} from './queries.ts';
import classes from './ScopeFieldset.module.css';

const VIEWS: FieldViews<Omit<CreateApiTokenInput, 'expiresAt'>> = {
  name: {
    label: 'Name',
    description: 'The program that will use this key',
    placeholder: 'Website',
    missing: 'Enter a name, such as the program that uses the key',
  },
  scopes: {
    label: 'Permissions',
    description:
      'Start from a preset or select permissions one by one. Grant only what the program needs.',
    missing: 'Select at least one permission',
  },
};

export function CreateApiKeyForm({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey(onClose);
  const form = useInputForm('CreateApiTokenInput', VIEWS, {
    own: { choice: 'never', date: '' },
    validate: { date: (_, values) => validateExpiry(values, new Date()) },
  });
  const submit = form.onSubmit((values) =>
    create.mutate({ ...form.toInput(values), expiresAt: toExpiryInstant(values, new Date()) }),
  );
  return (
    <DialogForm label="Create key" onSubmit={submit} mutation={create} onCancel={onClose}>
      <InputField form={form} name="name" isFirst />
      <ScopePicker {...form.getFieldProps('scopes')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Expires"
          data={EXPIRY_OPTIONS}
          allowDeselect={false}
          {...form.getInputProps('choice')}
        />
        {form.values.choice === 'date' && (
          <TextInput type="date" label="Last day" {...form.getInputProps('date')} />
        )}
      </SimpleGrid>
    </DialogForm>
  );
}

interface ScopePickerProps {
  label: string;
  description?: string;
  value: string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

function ScopePicker({ label, description, value, onChange, error }: ScopePickerProps) {
  const query = useScopes();
  const canGrantAll = can(useStaffViewer(), ALL_SCOPES);
  if (query.error) return <ErrorAlert error={toApiError(query.error)} retry={query.refetch} />;
  if (!query.data) return <Skeleton height={320} role="status" aria-label="Loading" />;
  const { scopes } = query.data;
  const scopePresets = query.data.scopePresets.filter(
    (preset) => canGrantAll || !preset.scopes.includes(ALL_SCOPES),
  );
  const descriptions = new Map(scopes.map(({ scope, description }) => [scope, description]));
  const isEverything = value.includes(ALL_SCOPES);
  const toggle = (scope: string) =>
    onChange(
      value.includes(scope) ? value.filter((selected) => selected !== scope) : [...value, scope],
    );
  return (
    <Stack gap="sm" role="group" aria-labelledby="scopes-label" aria-describedby="scopes-error">
      <div>
        <Input.Label id="scopes-label" labelElement="div">
          {label}
        </Input.Label>
        <Input.Description>{description}</Input.Description>
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
            : 'Only owners can create keys with all permissions'
        }
        checked={isEverything}
        disabled={!canGrantAll}
        onChange={() => onChange(isEverything ? [] : [ALL_SCOPES])}
      />
      {groupScopesByNoun([...descriptions.keys()]).map(({ noun, verbs }) => (
        <ScopeFieldset
          key={noun}
          noun={noun}
          verbs={verbs}
          descriptions={descriptions}
          isSelected={(scope) => isEverything || value.includes(scope)}
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

interface ScopeFieldsetProps {
  noun: string;
  verbs: string[];
  descriptions: ReadonlyMap<string, string>;
  isSelected: (scope: string) => boolean;
  disabled: boolean;
  onToggle: (scope: string) => void;
}

const ScopeFieldset = ({
  noun,
  verbs,
  descriptions,
  isSelected,
  disabled,
  onToggle,
}: ScopeFieldsetProps) => (
  <fieldset className={classes.noun} disabled={disabled}>
    <legend>{formatScopeNoun(noun)}</legend>
    {verbs.map((verb) => {
      const scope = `${noun}:${verb}`;
      return (
        <Checkbox
          key={scope}
          label={verb === 'read' ? 'Read' : 'Write'}
          description={descriptions.get(scope)}
          checked={isSelected(scope)}
          disabled={disabled}
          onChange={() => onToggle(scope)}
        />
      );
    })}
  </fieldset>
);

const DAY_MS = 24 * 3600 * 1000;

const EXPIRY_OPTIONS = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a custom date' },
];

interface Expiry {
  choice: string;
  /** YYYY-MM-DD, if the choice is `date`. */
  date: string;
}

/** Null means never. A date includes that whole day, in the browser's time zone. */
function toExpiryInstant({ choice, date }: Expiry, now: Date): string | null {
  if (choice === 'never') return null;
  if (choice === 'date') return parseEndOfDay(date)?.toISOString() ?? null;
  return new Date(now.getTime() + Number(choice) * DAY_MS).toISOString();
}

function validateExpiry({ choice, date }: Expiry, now: Date): string | null {
  if (choice !== 'date') return null;
  const end = parseEndOfDay(date);
  if (end === null) return 'Select a date';
  return end <= now ? 'Select a future date' : null;
}

function parseEndOfDay(date: string): Date | null {
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? null : end;
}
