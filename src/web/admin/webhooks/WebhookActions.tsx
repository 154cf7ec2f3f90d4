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
import { toWebhookUpdate } from './webhook-form-values.ts';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate();
  const editing = useDialog();
  const rotating = useDialog();
  const disabling = useDialog();
  const deleting = useDialog();
  const isEnabled = webhook.disabledAt === null;
  return (
    <Group gap="sm">
      {isEnabled ? <SendTestButton id={webhook.id} /> : <EnableButton id={webhook.id} />}
      <Button variant="default" onClick={() => editing.open(true)}>
        Change
      </Button>
      <Button variant="default" onClick={() => rotating.open(true)}>
        Rotate secret
      </Button>
      {isEnabled && (
        <Button variant="default" onClick={() => disabling.open(true)}>
          Disable
        </Button>
      )}
      <Button variant="subtle" color="red" onClick={() => deleting.open(true)}>
        Delete
      </Button>
      <Dialog state={editing} title="Change this webhook" size="xl">
        {() => <EditWebhookForm webhook={webhook} onClose={editing.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate the signing secret">
        {() => <RotateSecretForm webhook={webhook} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={disabling} title="Disable this webhook?">
        {() => <DisableWebhookConfirmation webhook={webhook} onClose={disabling.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this webhook?">
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
    notifySuccess('A test is on its way. The log says what becomes of it.'),
  );
  return (
    <Button
      loading={send.isPending}
      onClick={() =>
        send.mutate(undefined, { onError: (error) => notifyFailure('No test was sent', error) })
      }
    >
      Send a test
    </Button>
  );
}

function EnableButton({ id }: { id: string }) {
  const enable = useEnableWebhook(id, () => notifySuccess('The webhook is enabled.'));
  return (
    <Button
      loading={enable.isPending}
      onClick={() =>
        enable.mutate(undefined, { onError: (error) => notifyFailure('It stays disabled', error) })
      }
    >
      Enable
    </Button>
  );
}

function EditWebhookForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useUpdateWebhook(webhook.id, () => {
    notifySuccess('The webhook is saved.');
    onClose();
  });
  return (
    <WebhookForm
      webhook={webhook}
      label="Save webhook"
      save={(values) => update.mutate(toWebhookUpdate(values, webhook))}
      pending={update.isPending}
      error={update.error}
      onClose={onClose}
    />
  );
}

const OVERLAP_OPTIONS: OverlapOption[] = [
  {
    hours: 0,
    description:
      'For a secret that others may know. The receiver refuses messages until it has the new one.',
  },
  { hours: 1 },
  { hours: 24, description: 'Until then both sign, and either is good.' },
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
      Messages to <b>{webhook.url}</b> are signed with a new secret from now on.
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
    notifySuccess('The webhook is disabled.');
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
      It will never be told what happens while it is disabled. Messages that wait already are sent
      once it is enabled again.
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
    notifySuccess('The webhook is deleted.');
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
        <b>{webhook.url}</b> is told nothing more. Its secret and its log go with it, and what waits
        is never sent. This cannot be undone.
      </span>
    </Confirmation>
  );
}
