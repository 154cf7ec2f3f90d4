import { Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Panel } from '../../ui/Panel.tsx';
import { PersonActions } from './PersonActions.tsx';

/** On the page of a member, for owners and managers. */
export function MemberPersonalData({ member }: { member: { id: string; email: string } }) {
  const navigate = useNavigate();
  return (
    <Panel
      title="Personal data"
      description="Everything that is stored about this member: as one file, or gone. The books stay as they are."
    >
      <Group>
        <PersonActions
          person={{ memberId: member.id }}
          confirmation={member.email}
          onErased={() => navigate('/members')}
        />
      </Group>
    </Panel>
  );
}
