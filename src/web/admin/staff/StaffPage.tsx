import { Button } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { isSpaceOwner, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { type StaffUser, useStaffUsers } from './queries.ts';
import {
  ChangeRoleForm,
  DisableAccountForm,
  EnableAccountConfirmation,
  InviteStaffForm,
  ResendInvitationConfirmation,
  ResetPasswordConfirmation,
  StaffSessions,
  WithdrawInvitationConfirmation,
} from './StaffDialogs.tsx';
import { type StaffAction, StaffTable } from './StaffTable.tsx';

interface ChosenAction {
  action: StaffAction;
  user: StaffUser;
}

const DIALOG_TITLES: Record<StaffAction, string> = {
  setRole: 'Change role',
  resetPassword: 'Reset password?',
  endSessions: 'Sessions',
  disable: 'Disable account?',
  revokeTokens: 'Revoke API keys?',
  enable: 'Enable account?',
  resendInvitation: 'Resend invitation?',
  withdrawInvitation: 'Withdraw invitation?',
};

const DIALOGS = {
  setRole: ChangeRoleForm,
  resetPassword: ResetPasswordConfirmation,
  endSessions: StaffSessions,
  disable: DisableAccountForm,
  revokeTokens: DisableAccountForm,
  enable: EnableAccountConfirmation,
  resendInvitation: ResendInvitationConfirmation,
  withdrawInvitation: WithdrawInvitationConfirmation,
};

export function StaffPage() {
  const isOwner = isSpaceOwner(useStaffViewer());
  const pages = useStaffUsers();
  const inviting = useDialog();
  const changing = useDialog<ChosenAction>();
  const invite = isOwner && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => inviting.open(true)}>
      Invite a person
    </Button>
  );
  const isAlone = pages.rows?.length === 1;
  return (
    <>
      <PageHeader
        title="Staff"
        description={
          isOwner
            ? 'People who can sign in to this panel, and their roles.'
            : 'People who can sign in to this panel. Only owners can invite people and change accounts.'
        }
        action={isAlone ? null : invite}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconUsers} title="No staff yet" action={invite}>
            Invite your coworkers.
          </EmptyState>
        }
      >
        {(users) => (
          <>
            <StaffTable
              users={users}
              onAction={(action, user) => changing.open({ action, user })}
            />
            {isAlone && isOwner && (
              <EmptyState icon={IconUsers} title="You are the only one here" action={invite}>
                Invite your coworkers. Make at least one of them an owner, who can help if you lose
                your password.
              </EmptyState>
            )}
          </>
        )}
      </InfiniteList>
      <Dialog state={inviting} title="Invite a person">
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
