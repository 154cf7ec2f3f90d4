import { Button } from '@mantine/core';
import { ownsSpace, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPeople, IconPlus } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { ChangeRole } from './ChangeRole.tsx';
import {
  EnableAccount,
  ResendInvitation,
  ResetPassword,
  WithdrawInvitation,
} from './confirmations.tsx';
import { DisableAccount } from './DisableAccount.tsx';
import { InviteStaff } from './InviteStaff.tsx';
import { type StaffUser, useStaffUsers } from './queries.ts';
import { type StaffAction, StaffTable } from './StaffTable.tsx';

interface Chosen {
  action: StaffAction;
  user: StaffUser;
}

const TITLES: Record<StaffAction, string> = {
  role: 'Change role',
  reset: 'Reset the password?',
  disable: 'Disable this account?',
  enable: 'Enable this account?',
  resend: 'Send the invitation again?',
  withdraw: 'Withdraw the invitation?',
};

const DIALOGS = {
  role: ChangeRole,
  reset: ResetPassword,
  disable: DisableAccount,
  enable: EnableAccount,
  resend: ResendInvitation,
  withdraw: WithdrawInvitation,
};

export function StaffPage() {
  const isOwner = ownsSpace(useStaff());
  const pages = useStaffUsers();
  const inviting = useDialog();
  const changing = useDialog<Chosen>();
  const invite = isOwner && (
    <Button leftSection={<IconPlus />} onClick={() => inviting.open(true)}>
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
      <PagedList
        pages={pages}
        empty={
          <EmptyState icon={IconPeople} title="No staff yet" action={invite}>
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
              <EmptyState icon={IconPeople} title="You work alone so far" action={invite}>
                Invite the people you work with. Give at least one of them the role of an owner, so
                that somebody can help if you lose your password.
              </EmptyState>
            )}
          </>
        )}
      </PagedList>
      <Dialog state={inviting} title="Invite somebody">
        {() => <InviteStaff onClose={inviting.close} />}
      </Dialog>
      <Dialog state={changing} title={changing.subject ? TITLES[changing.subject.action] : ''}>
        {({ action, user }) => {
          const Content = DIALOGS[action];
          return <Content user={user} onClose={changing.close} />;
        }}
      </Dialog>
    </>
  );
}
