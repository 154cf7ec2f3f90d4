import { Button } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { isSpaceOwner, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { type StaffUser, useStaffUsers } from './queries.ts';
import {
  ChangeRoleForm,
  DisableAccountForm,
  EnableAccountConfirmation,
  InviteStaffForm,
  ResendInvitationConfirmation,
  ResetPasswordConfirmation,
  WithdrawInvitationConfirmation,
} from './StaffDialogs.tsx';
import { type StaffAction, StaffTable } from './StaffTable.tsx';

interface ChosenAction {
  action: StaffAction;
  user: StaffUser;
}

const DIALOG_TITLES: Record<StaffAction, string> = {
  role: 'Change role',
  reset: 'Reset the password?',
  disable: 'Disable this account?',
  enable: 'Enable this account?',
  resend: 'Send the invitation again?',
  withdraw: 'Withdraw the invitation?',
};

const DIALOGS = {
  role: ChangeRoleForm,
  reset: ResetPasswordConfirmation,
  disable: DisableAccountForm,
  enable: EnableAccountConfirmation,
  resend: ResendInvitationConfirmation,
  withdraw: WithdrawInvitationConfirmation,
};

export function StaffPage() {
  const isOwner = isSpaceOwner(useStaffViewer());
  const pages = useStaffUsers();
  const inviting = useDialog();
  const changing = useDialog<ChosenAction>();
  const invite = isOwner && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => inviting.open(true)}>
      Invite somebody
    </Button>
  );
  const isAlone = pages.rows?.length === 1;
  return (
    <>
      <PageHeader
        title="Staff"
        description={
          isOwner
            ? 'People who sign in to this panel, and what they are allowed to do.'
            : 'People who sign in to this panel. Only owners invite people and change accounts.'
        }
        action={isAlone ? null : invite}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconUsers} title="No staff yet" action={invite}>
            Invite the people who work here.
          </EmptyState>
        }
      >
        {(users) => (
          <>
            <StaffTable
              users={users}
              onAction={isOwner ? (action, user) => changing.open({ action, user }) : undefined}
            />
            {isAlone && isOwner && (
              <EmptyState icon={IconUsers} title="You work alone so far" action={invite}>
                Invite the people you work with. Give at least one of them the role of an owner, so
                that somebody can help if you lose your password.
              </EmptyState>
            )}
          </>
        )}
      </InfiniteList>
      <Dialog state={inviting} title="Invite somebody">
        {() => <InviteStaffForm onClose={inviting.close} />}
      </Dialog>
      <Dialog
        state={changing}
        title={changing.subject ? DIALOG_TITLES[changing.subject.action] : ''}
      >
        {({ action, user }) => {
          const Content = DIALOGS[action];
          return <Content user={user} onClose={changing.close} />;
        }}
      </Dialog>
    </>
  );
}
