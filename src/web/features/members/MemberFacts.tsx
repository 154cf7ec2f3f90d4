import { Anchor, Button, Code } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { MemberForm } from './MemberForm.tsx';
import { MemberState } from './MembersTable.tsx';
import type { MemberDetails } from './queries.ts';

export function MemberFacts({ member, mayChange }: { member: MemberDetails; mayChange: boolean }) {
  const editing = useDialog();
  const { name, email, phone, company, team, code, createdAt } = member;
  return (
    <Panel
      title="Details"
      action={
        mayChange && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit member
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['Status', <MemberState key="status" member={member} />],
          ['E-mail', <Address key="email" href={`mailto:${email}`} text={email} />],
          ['Phone', phone && <Address key="phone" href={`tel:${phone}`} text={phone} />],
          ['Company', company],
          ['Team', team?.name],
          ['Member code', <Code key="code">{code}</Code>],
          ['Member since', <Moment key="since" at={createdAt} as="day" />],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`}>
        {() => <MemberForm member={member} onClose={editing.close} />}
      </Dialog>
    </Panel>
  );
}

const Address = ({ href, text }: { href: string; text: string }) => (
  <Anchor href={href} size="sm">
    {text}
  </Anchor>
);
