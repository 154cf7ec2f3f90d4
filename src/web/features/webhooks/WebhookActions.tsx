import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Dialog } from '../../ui/Dialog.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { useEnableWebhook, useSendTest } from './changes.ts';
import { DeleteWebhook } from './DeleteWebhook.tsx';
import { DisableWebhook } from './DisableWebhook.tsx';
import { EditWebhook } from './EditWebhook.tsx';
import type { Webhook } from './queries.ts';
import { RotateSecret } from './RotateSecret.tsx';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate();
  const editing = useDialog();
  const rotating = useDialog();
  const disabling = useDialog();
  const deleting = useDialog();
  const isEnabled = webhook.disabledAt === null;
  return (
    <Group gap="sm">
      {isEnabled ? <SendTest id={webhook.id} /> : <Enable id={webhook.id} />}
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
        {() => <EditWebhook webhook={webhook} onClose={editing.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate the signing secret">
        {() => <RotateSecret webhook={webhook} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={disabling} title="Disable this webhook?">
        {() => <DisableWebhook webhook={webhook} onClose={disabling.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this webhook?">
        {() => (
          <DeleteWebhook
            webhook={webhook}
            onDeleted={() => navigate('/settings/webhooks')}
            onClose={deleting.close}
          />
        )}
      </Dialog>
    </Group>
  );
}

function SendTest({ id }: { id: string }) {
  const send = useSendTest(id, () =>
    notifyDone('A test is on its way. The log says what becomes of it.'),
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

function Enable({ id }: { id: string }) {
  const enable = useEnableWebhook(id, () => notifyDone('The webhook is enabled.'));
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
