import { Radio, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DialogForm } from './Dialog.tsx';

const OVERLAP_LABELS = {
  0: 'Immediately',
  1: 'In an hour',
  24: 'In a day',
  72: 'In three days',
  168: 'In a week',
};

export interface OverlapOption {
  hours: keyof typeof OVERLAP_LABELS;
  /** How the choice affects programs that use the old secret. */
  description?: string;
}

interface Props {
  /** Explains what is replaced. */
  children: ReactNode;
  noun: 'secret' | 'token';
  overlaps: OverlapOption[];
  /** In hours. */
  defaultHours: OverlapOption['hours'];
  label: string;
  rotate: { mutate: (hours: number) => void; isPending: boolean; error: Error | null };
  onCancel: () => void;
}

/** Replaces a secret and asks how long the old one stays valid. */
export function SecretRotationForm({
  children,
  noun,
  overlaps,
  defaultHours,
  label,
  rotate,
  onCancel,
}: Props) {
  const [hours, setHours] = useState(String(defaultHours));
  return (
    <DialogForm
      label={label}
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate(Number(hours));
      }}
      mutation={rotate}
      onCancel={onCancel}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      <Radio.Group label={`When should the old ${noun} expire?`} value={hours} onChange={setHours}>
        <Stack gap="xs" mt="xs">
          {overlaps.map(({ hours, description }) => (
            <Radio
              key={hours}
              value={String(hours)}
              label={OVERLAP_LABELS[hours]}
              description={description}
            />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
