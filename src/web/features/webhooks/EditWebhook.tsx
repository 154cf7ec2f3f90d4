import { notifyDone } from '../../ui/notify.ts';
import { useUpdateWebhook } from './changes.ts';
import type { Webhook } from './queries.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { changesOf } from './webhook-form.ts';

export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useUpdateWebhook(webhook.id, () => {
    notifyDone('The webhook is saved.');
    onClose();
  });
  return (
    <WebhookForm
      webhook={webhook}
      label="Save webhook"
      save={(values) => update.mutate(changesOf(values, webhook))}
      pending={update.isPending}
      error={update.error}
      onClose={onClose}
    />
  );
}
