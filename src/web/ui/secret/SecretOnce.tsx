import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { IconAlert } from '../icons.tsx';
import { CopyField } from './CopyField.tsx';
import type { Secret } from './use-secret.ts';

export function SecretOnce({ secret, onDone }: { secret: Secret; onDone: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const copied = () => setIsCopied(true);
  return (
    <Stack>
      <Text size="sm">{secret.explanation}</Text>
      <CopyField label={secret.label} value={secret.plainText} onCopy={copied} autoFocus />
      {secret.addresses?.map(({ label, value }) => (
        <CopyField key={label} label={label} value={value} onCopy={copied} />
      ))}
      <Alert color="orange" icon={<IconAlert />} role={isWarned ? 'alert' : 'note'}>
        {isWarned
          ? 'It has not been copied with the button. Once this closes, nobody can show it again.'
          : 'This is shown only now, and nobody can show it again. Copy it before you close.'}
      </Alert>
      <Group justify="flex-end">
        {isWarned && !isCopied ? (
          <Button color="red" onClick={onDone}>
            Close without copying
          </Button>
        ) : (
          <Button
            variant={isCopied ? 'filled' : 'default'}
            onClick={isCopied ? onDone : () => setIsWarned(true)}
          >
            Done
          </Button>
        )}
      </Group>
    </Stack>
  );
}
