import { type Overlap, Rotate } from '../../ui/secret/Rotate.tsx';
import { useRotateDisplayToken } from './changes.ts';
import type { Display } from './queries.ts';

const OVERLAPS: Overlap[] = [
  { hours: 0, description: 'The screen shows nothing new until it has the new one.' },
  { hours: 1 },
  { hours: 24, description: 'Enough time to walk to the screen.' },
];

export function RotateDisplay({ display, onClose }: { display: Display; onClose: () => void }) {
  const rotate = useRotateDisplayToken(display.id, onClose);
  return (
    <Rotate
      noun="token"
      overlaps={OVERLAPS}
      usual={1}
      label="Make a new token"
      rotate={rotate}
      onCancel={onClose}
    >
      <b>{display.name}</b> gets a new token, which you put into the device. For a screen that shows
      a code, replace the screen instead.
    </Rotate>
  );
}
