import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useRevokeDisplay } from './changes.ts';
import type { Display } from './queries.ts';

export function RevokeDisplay({ display, onClose }: { display: Display; onClose: () => void }) {
  const revoke = useRevokeDisplay(() => {
    notifyDone(`${display.name} is revoked.`);
    onClose();
  });
  return (
    <Confirm
      label="Revoke display"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(display.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      <b>{display.name}</b> at {display.location.name} is refused from its next request, and{' '}
      {display.kind === 'KIOSK'
        ? 'counts as a kiosk no more: its page goes on as one that anybody may open.'
        : 'shows a code to be paired anew.'}{' '}
      To use it again, pair it as a new display. This cannot be undone.
    </Confirm>
  );
}
