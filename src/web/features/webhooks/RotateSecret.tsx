import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { useSecret } from '../../ui/secret/use-secret.ts';
import { useRotateSecret } from './changes.ts';
import type { Webhook } from './queries.ts';
import { secretOf } from './signing-secret.ts';
import { nameOf } from './webhook-form.ts';

const OVERLAPS = [
  {
    hours: 0,
    label: 'At once',
    description:
      'For a secret that others may know. The receiver refuses messages until it has the new one.',
  },
  { hours: 1, label: 'In an hour', description: '' },
  { hours: 24, label: 'In a day', description: 'Until then both sign, and either is good.' },
  { hours: 72, label: 'In three days', description: '' },
];

export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [overlap, setOverlap] = useState('24');
  const showSecret = useSecret();
  const rotate = useRotateSecret(webhook.id, (plainText) => {
    onClose();
    showSecret(secretOf(`New secret for ${nameOf(webhook)}`, plainText));
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
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Messages to <b>{webhook.url}</b> are signed with a new secret from now on.
        </Text>
        <Radio.Group label="When should the old secret end?" value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(({ hours, label, description }) => (
              <Radio key={hours} value={String(hours)} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
      <DialogActions label="Rotate secret" onCancel={onClose} pending={rotate.isPending} />
    </form>
  );
}
