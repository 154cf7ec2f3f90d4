import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useDeleteWebhook } from './changes.ts';
import type { Webhook } from './queries.ts';

interface Props {
  webhook: Webhook;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteWebhook({ webhook, onDeleted, onClose }: Props) {
  const remove = useDeleteWebhook(webhook.id, () => {
    notifyDone('The webhook is deleted.');
    onClose();
    onDeleted();
  });
  return (
    <Confirm
      label="Delete webhook"
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      <span style={{ overflowWrap: 'anywhere' }}>
        <b>{webhook.url}</b> is told nothing more. Its secret and its log go with it, and what waits
        is never sent. This cannot be undone.
      </span>
    </Confirm>
  );
}
