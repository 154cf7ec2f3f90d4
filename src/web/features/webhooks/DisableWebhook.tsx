import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useDisableWebhook } from './changes.ts';
import type { Webhook } from './queries.ts';

export function DisableWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const disable = useDisableWebhook(webhook.id, () => {
    notifyDone('The webhook is disabled.');
    onClose();
  });
  return (
    <Confirm
      label="Disable webhook"
      onCancel={onClose}
      onConfirm={() => disable.mutate()}
      pending={disable.isPending}
      error={disable.error}
    >
      It will never be told what happens while it is disabled. Messages that wait already are sent
      once it is enabled again.
    </Confirm>
  );
}
