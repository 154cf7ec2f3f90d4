import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { PairingCode } from './CreateDisplay.tsx';
import { useClaimPairing } from './changes.ts';
import type { Display } from './queries.ts';

/** Another screen takes the place of one that broke. */
export function ReplaceScreen({ display, onClose }: { display: Display; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const claim = useClaimPairing(() => {
    notifyDone(`The new screen takes the place of ${display.name}.`);
    onClose();
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsMissing(code.trim() === '');
        if (code.trim() !== '') claim.mutate({ pairingCode: code, displayId: display.id });
      }}
    >
      <Stack>
        <FormFailure error={claim.error} />
        <Text size="sm">
          The new screen shows what <b>{display.name}</b> shows now. The old one is refused at once.
        </Text>
        <PairingCode value={code} onChange={setCode} isMissing={isMissing && code.trim() === ''} />
      </Stack>
      <DialogActions label="Replace the screen" onCancel={onClose} pending={claim.isPending} />
    </form>
  );
}
