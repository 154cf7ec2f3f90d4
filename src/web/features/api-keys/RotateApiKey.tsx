import { type Overlap, Rotate } from '../../ui/secret/Rotate.tsx';
import { type ApiKey, useRotateApiKey } from './queries.ts';

const OVERLAPS: Overlap[] = [
  { hours: 0, description: 'Programs stop working until they have the new one.' },
  { hours: 1 },
  { hours: 24, description: 'Enough time to hand out the new one.' },
  { hours: 168 },
];

export function RotateApiKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const rotate = useRotateApiKey(apiKey.id, onClose);
  return (
    <Rotate
      noun="secret"
      overlaps={OVERLAPS}
      usual={24}
      label="Rotate key"
      rotate={rotate}
      onCancel={onClose}
    >
      <b>{apiKey.name}</b> gets a new secret and may do the same as before.
    </Rotate>
  );
}
