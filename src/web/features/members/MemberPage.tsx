import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { managesSpace, may, useStaff } from '../../session/viewer.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useNow } from '../../ui/use-now.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { MemberPersonalData } from '../personal-data/MemberPersonalData.tsx';
import { Memberships } from '../plans/Memberships.tsx';
import { MemberBookings } from './MemberBookings.tsx';
import { MemberCalendar } from './MemberCalendar.tsx';
import { MemberEmailState } from './MemberEmailState.tsx';
import { MemberFacts } from './MemberFacts.tsx';
import { type MemberDetails, useMember } from './queries.ts';

export function MemberPage() {
  const { memberId = '' } = useParams();
  const viewer = useStaff();
  const now = useNow(60);
  const member = useMember(memberId);
  return (
    <>
      <BackLink to="/members">All members</BackLink>
      <Loaded query={member} height={400}>
        {(member) => (
          <>
            <PageHeader
              title={member.name}
              description={member.company ?? member.team?.name ?? 'A member of the community.'}
            />
            <MemberEmailState member={member} mayChange={may(viewer, 'members:write')} />
            <Stack>
              <MemberFacts member={member} mayChange={may(viewer, 'members:write')} />
              <Memberships
                holder={{ memberId: member.id }}
                name={member.name}
                memberships={member.memberships}
                today={dayAt(now, 'UTC')}
                mayChange={may(viewer, 'members:write')}
                note={teamNote(member)}
              />
              {may(viewer, 'bookings:read') && (
                <>
                  <MemberBookings member={member} />
                  <MemberCalendar member={member} mayChange={may(viewer, 'bookings:write')} />
                </>
              )}
              {managesSpace(viewer) && <MemberPersonalData member={member} />}
            </Stack>
          </>
        )}
      </Loaded>
    </>
  );
}

const teamNote = ({ currentMembership }: MemberDetails) =>
  currentMembership?.team
    ? `Books by the plan ${currentMembership.plan.name} of the team ${currentMembership.team.name}, unless there is a membership of their own.`
    : undefined;
