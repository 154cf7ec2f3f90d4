import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { type OverlapOption, SecretRotationForm } from '../../components/SecretRotationForm.tsx';
import {
  useDeleteWebhook,
  useDisableWebhook,
  useEnableWebhook,
  useRotateWebhookSecret,
  useSendTestWebhook,
  useUpdateWebhook,
  type Webhook,
} from './queries.ts';
import { WebhookForm } from './WebhookForm.tsx';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate();
  const editing = useDialog();
  const rotating = useDialog();
  const disabling = useDialog();
  const deleting = useDialog();
  const { id, allowedActions: allowed } = webhook;
  return (
    <Group gap="sm">
      {allowed.sendTest && <SendTestButton id={id} />}
      {allowed.enable && <EnableButton id={id} />}
      {allowed.update && (
        <Button variant="default" onClick={() => editing.open(true)}>
          Edit
        </Button>
      )}
      {allowed.rotateSecret && (
        <Button variant="default" onClick={() => rotating.open(true)}>
          Rotate secret
        </Button>
      )}
      {allowed.disable && (
        <Button variant="default" onClick={() => disabling.open(true)}>
          Disable
        </Button>
      )}
      {allowed.delete && (
        <Button variant="subtle" color="red" onClick={() => deleting.open(true)}>
          Delete
        </Button>
      )}
      <Dialog state={editing} title="Edit webhook" size="xl">
        {() => <EditWebhookForm webhook={webhook} onClose={editing.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate signing secret">
        {() => <RotateSecretForm webhook={webhook} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={disabling} title="Disable webhook?">
        {() => <DisableWebhookConfirmation webhook={webhook} onClose={disabling.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete webhook?">
        {() => (
          <DeleteWebhookConfirmation
            webhook={webhook}
            onDeleted={() => navigate('/settings/webhooks')}
            onClose={deleting.close}
          />
        )}
      </Dialog>
    </Group>
  );
}

function SendTestButton({ id }: { id: string }) {
  const send = useSendTestWebhook(id, () =>
    notifySuccess('Test sent. See the result under Deliveries.'),
  );
  return (
    <Button
      loading={send.isPending}
      onClick={() =>
        send.mutate(undefined, {
          onError: (error) => notifyFailure('Could not send a test', error),
        })
      }
    >
      Send a test
    </Button>
  );
}

function EnableButton({ id }: { id: string }) {
  const enable = useEnableWebhook(id, () => notifySuccess('Webhook enabled.'));
  return (
    <Button
      loading={enable.isPending}
      onClick={() =>
        enable.mutate(undefined, {
          onError: (error) => notifyFailure('Could not enable the webhook', error),
        })
      }
    >
      Enable
    </Button>
  );
}

function EditWebhookForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useUpdateWebhook(webhook.id, () => {
    notifySuccess('Webhook saved.');
    onClose();
  });
  return (
    <WebhookForm
      webhook={webhook}
      label="Save webhook"
      mutation={update}
      onSave={(_, changes) => update.mutate(changes)}
      onClose={onClose}
    />
  );
}

const OVERLAP_OPTIONS: OverlapOption[] = [
  {
    hours: 0,
    description:
      'Use this if the secret has leaked. The receiver rejects messages until it uses the new one.',
  },
  { hours: 1 },
  { hours: 24, description: 'Until then messages are signed with both secrets.' },
  { hours: 72 },
];

function RotateSecretForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const rotate = useRotateWebhookSecret(webhook.id, onClose);
  return (
    <SecretRotationForm
      noun="secret"
      overlaps={OVERLAP_OPTIONS}
      defaultHours={24}
      label="Rotate secret"
      rotate={rotate}
      onCancel={onClose}
    >
      Messages to <b>{webhook.url}</b> will be signed with a new secret.
    </SecretRotationForm>
  );
}

function DisableWebhookConfirmation({
  webhook,
  onClose,
}: {
  webhook: Webhook;
  onClose: () => void;
}) {
  const disable = useDisableWebhook(webhook.id, () => {
    notifySuccess('Webhook disabled.');
    onClose();
  });
  return (
    <Confirmation
      label="Disable webhook"
      onCancel={onClose}
      onConfirm={() => disable.mutate()}
      pending={disable.isPending}
      error={disable.error}
    >
      Events that happen while it is disabled are never sent. Pending messages are sent once you
      enable it again.
    </Confirmation>
  );
}

interface Props {
  webhook: Webhook;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteWebhookConfirmation({ webhook, onDeleted, onClose }: Props) {
  const remove = useDeleteWebhook(webhook.id, () => {
    notifySuccess('Webhook deleted.');
    onClose();
    onDeleted();
  });
  return (
    <Confirmation
      label="Delete webhook"
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      <span style={{ overflowWrap: 'anywhere' }}>
        <b>{webhook.url}</b> receives no more messages. Its secret and deliveries are deleted, and
        pending messages are dropped. This cannot be undone.
      </span>
    </Confirmation>
  );
}
