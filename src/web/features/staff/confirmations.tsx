import { Stack, Text } from '@mantine/core';
import { Confirm } from '../../ui/Confirm.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type StaffUser, useEnable, useResend, useResetPassword, useWithdraw } from './queries.ts';

interface Props {
  user: StaffUser;
  onClose: () => void;
}

export function ResetPassword({ user, onClose }: Props) {
  const reset = useResetPassword(onClose);
  return (
    <Confirm
      label="Reset password"
      onCancel={onClose}
      onConfirm={() => reset.mutate(user.id)}
      pending={reset.isPending}
      error={reset.error}
    >
      The password of <b>{user.name}</b> stops working at once, and all sessions end. A link to set
      a new password goes to {user.email}.
    </Confirm>
  );
}

export function WithdrawInvitation({ user, onClose }: Props) {
  const withdraw = useWithdraw(() => {
    notifyDone(`The invitation of ${user.name} is withdrawn.`);
    onClose();
  });
  return (
    <Confirm
      label="Withdraw invitation"
      onCancel={onClose}
      onConfirm={() => withdraw.mutate(user.id)}
      pending={withdraw.isPending}
      error={withdraw.error}
    >
      The link that was sent to <b>{user.email}</b> stops working, and {user.name} is taken off this
      list.
    </Confirm>
  );
}

export function ResendInvitation({ user, onClose }: Props) {
  const resend = useResend(onClose);
  return (
    <Stack>
      <FormFailure error={resend.error} />
      <Text size="sm">
        A new link goes to <b>{user.email}</b>. The link before it stops working.
      </Text>
      <DialogActions
        label="Send invitation"
        onCancel={onClose}
        onConfirm={() => resend.mutate(user.id)}
        pending={resend.isPending}
      />
    </Stack>
  );
}

export function EnableAccount({ user, onClose }: Props) {
  const enable = useEnable(() => {
    notifyDone(`${user.name} can sign in again.`);
    onClose();
  });
  return (
    <Stack>
      <FormFailure error={enable.error} />
      <Text size="sm">
        <b>{user.name}</b> can sign in again with the same password and role.
      </Text>
      <DialogActions
        label="Enable account"
        onCancel={onClose}
        onConfirm={() => enable.mutate(user.id)}
        pending={enable.isPending}
      />
    </Stack>
  );
}
