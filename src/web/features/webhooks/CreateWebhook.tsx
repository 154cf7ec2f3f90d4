import { useNavigate } from 'react-router';
import { useSecret } from '../../ui/secret/use-secret.ts';
import { useCreateWebhook } from './changes.ts';
import { secretOf } from './signing-secret.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { inputOf, nameOf } from './webhook-form.ts';

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const showSecret = useSecret();
  const navigate = useNavigate();
  const create = useCreateWebhook((plainText, webhook) => {
    onClose();
    navigate(`/settings/webhooks/${webhook.id}`);
    showSecret(secretOf(`${nameOf(webhook)} is ready`, plainText));
  });
  return (
    <WebhookForm
      label="Add webhook"
      save={(values) => create.mutate(inputOf(values))}
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
    />
  );
}
