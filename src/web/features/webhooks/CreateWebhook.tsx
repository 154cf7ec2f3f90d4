import { useNavigate } from 'react-router';
import { useCreateWebhook } from './changes.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { inputOf } from './webhook-form.ts';

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateWebhook(({ id }) => {
    onClose();
    navigate(`/settings/webhooks/${id}`);
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
