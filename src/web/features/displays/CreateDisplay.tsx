import { TextInput } from '@mantine/core';
import { type Ref, useRef, useState } from 'react';
import { serviceUrl } from '../../api/urls.ts';
import { notifyDone } from '../../ui/notify.ts';
import { useClaimPairing, useCreateDisplay } from './changes.ts';
import { NewDisplay } from './NewDisplay.tsx';
import type { Display } from './queries.ts';

interface Props {
  locationId: string | null;
  onClose: () => void;
}

/** For devices that are told what to poll: the token is made here. */
export function CreateDisplay({ locationId, onClose }: Props) {
  const create = useCreateDisplay(onClose);
  return (
    <NewDisplay
      locationId={locationId}
      label="Add display"
      failure={create.error}
      pending={create.isPending}
      onSubmit={create.mutate}
      onCancel={onClose}
    />
  );
}

/** For screens that show a code: they fetch their token themselves. */
export function PairDisplay({ locationId, onClose }: Props) {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isMissing = code.trim() === '';
  const claim = useClaimPairing(({ name }: Display) => {
    notifyDone(`${name} is paired. It shows something in a moment.`);
    onClose();
  });
  return (
    <NewDisplay
      locationId={locationId}
      label="Pair screen"
      failure={claim.error}
      pending={claim.isPending}
      onSubmit={(input) => {
        if (!isMissing) claim.mutate({ ...input, pairingCode: code });
      }}
      onTry={() => {
        setIsTried(true);
        if (isMissing) field.current?.focus();
      }}
      onCancel={onClose}
      first={
        <PairingCode ref={field} value={code} onChange={setCode} isMissing={isTried && isMissing} />
      }
    />
  );
}

interface CodeProps {
  value: string;
  onChange: (code: string) => void;
  isMissing: boolean;
  ref?: Ref<HTMLInputElement>;
}

export const PairingCode = ({ value, onChange, isMissing, ref }: CodeProps) => (
  <TextInput
    {...(ref && { ref })}
    label="Code on the screen"
    description={`Open ${serviceUrl('display')} on the screen: it shows eight letters`}
    placeholder="BCDF GHJK"
    maxLength={40}
    autoComplete="off"
    autoCapitalize="characters"
    spellCheck={false}
    autoFocus
    data-autofocus
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    value={value}
    error={isMissing ? 'Type the code that the screen shows' : null}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
