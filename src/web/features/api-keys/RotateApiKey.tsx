import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { useSecret } from '../../ui/secret/use-secret.ts';
import { type ApiKey, useRotateApiKey } from './queries.ts';

const HOUR = 60;
const OVERLAPS = [
  {
    minutes: 0,
    label: 'At once',
    description: 'Programs stop working until they have the new one.',
  },
  { minutes: HOUR, label: 'In an hour', description: '' },
  { minutes: 24 * HOUR, label: 'In a day', description: 'Enough time to hand out the new one.' },
  { minutes: 7 * 24 * HOUR, label: 'In a week', description: '' },
];

export function RotateApiKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(24 * HOUR));
  const showSecret = useSecret();
  const rotate = useRotateApiKey((plainText, { name }) => {
    onClose();
    showSecret({
      title: `New secret for ${name}`,
      explanation: 'Put it in place of the old one wherever the program keeps its settings.',
      label: 'API key',
      plainText,
    });
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate({ id: apiKey.id, overlapMinutes: Number(overlap) });
      }}
    >
      <Stack>
        <FormFailure error={rotate.error} />
        <Text size="sm">
          <b>{apiKey.name}</b> gets a new secret and may do the same as before.
        </Text>
        <Radio.Group label="When should the old secret end?" value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(({ minutes, label, description }) => (
              <Radio
                key={minutes}
                value={String(minutes)}
                label={label}
                description={description}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
      <DialogActions label="Rotate key" onCancel={onClose} pending={rotate.isPending} />
    </form>
  );
}
