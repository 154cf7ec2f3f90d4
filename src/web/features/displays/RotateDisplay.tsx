import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { useSecret } from '../../ui/secret/use-secret.ts';
import { useRotateDisplayToken } from './changes.ts';
import type { Display } from './queries.ts';
import { tokenSecret } from './token-secret.ts';

const OVERLAPS = [
  {
    minutes: 0,
    label: 'At once',
    description: 'The screen shows nothing new until it has the new one.',
  },
  { minutes: 60, label: 'In an hour', description: '' },
  { minutes: 24 * 60, label: 'In a day', description: 'Enough time to walk to the screen.' },
];

export function RotateDisplay({ display, onClose }: { display: Display; onClose: () => void }) {
  const [overlap, setOverlap] = useState('60');
  const showSecret = useSecret();
  const rotate = useRotateDisplayToken(display.id, ({ deviceToken }) => {
    onClose();
    showSecret(tokenSecret(`New token for ${display.name}`, deviceToken));
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate(Number(overlap));
      }}
    >
      <Stack>
        <FormFailure error={rotate.error} />
        <Text size="sm">
          <b>{display.name}</b> gets a new token, which you put into the device. For a screen that
          shows a code, replace the screen instead.
        </Text>
        <Radio.Group label="When should the old token end?" value={overlap} onChange={setOverlap}>
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
      <DialogActions label="Make a new token" onCancel={onClose} pending={rotate.isPending} />
    </form>
  );
}
