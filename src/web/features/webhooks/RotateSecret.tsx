import { type Overlap, Rotate } from '../../ui/secret/Rotate.tsx';
import { useRotateSecret } from './changes.ts';
import type { Webhook } from './queries.ts';

const OVERLAPS: Overlap[] = [
  {
    hours: 0,
    description:
      'For a secret that others may know. The receiver refuses messages until it has the new one.',
  },
  { hours: 1 },
  { hours: 24, description: 'Until then both sign, and either is good.' },
  { hours: 72 },
];

export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const rotate = useRotateSecret(webhook.id, onClose);
  return (
    <Rotate
      noun="secret"
      overlaps={OVERLAPS}
      usual={24}
      label="Rotate secret"
      rotate={rotate}
      onCancel={onClose}
    >
      Messages to <b>{webhook.url}</b> are signed with a new secret from now on.
    </Rotate>
  );
}
