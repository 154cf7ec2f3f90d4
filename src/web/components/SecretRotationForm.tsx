import { Radio, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DialogActions } from './Dialog.tsx';
import { FormError } from './ErrorAlerts.tsx';

const OVERLAP_LABELS = {
  0: 'At once',
  1: 'In an hour',
  24: 'In a day',
  72: 'In three days',
  168: 'In a week',
};

export interface OverlapOption {
  hours: keyof typeof OVERLAP_LABELS;
  /** What it means for whoever has the old one. */
  description?: string;
}

interface Props {
  /** What gets another one, and what is to be done with it. */
  children: ReactNode;
  noun: 'secret' | 'token';
  overlaps: OverlapOption[];
  /** In hours. */
  defaultHours: OverlapOption['hours'];
  label: string;
  rotate: { mutate: (hours: number) => void; isPending: boolean; error: Error | null };
  onCancel: () => void;
}

/** Replaces a secret, and asks how long the old one is good beside the new one. */
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate(Number(hours));
      }}
    >
      <Stack>
        <FormError error={rotate.error} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        <Radio.Group label={`When should the old ${noun} end?`} value={hours} onChange={setHours}>
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
      </Stack>
      <DialogActions label={label} onCancel={onCancel} pending={rotate.isPending} />
    </form>
  );
}
