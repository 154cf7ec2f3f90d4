import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import type { MyPlanQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText } from '../../language/member-texts.ts';

export type CurrentMember = NonNullable<MyPlanQuery['me']>;

const MY_PLAN_QUERY = graphql(`
  query MyPlan {
    me {
      id
      name
      email
      status
      code
      createdAt
      currentMembership {
        ...Membership
        team {
          name
        }
        usage {
          resourceType
          includedMinutes
          bookedMinutes
        }
      }
      calendarFeeds(first: 50, filter: { active: true }) {
        nodes {
          ...CalendarFeed
        }
      }
    }
    mySessions {
      ...MySession
    }
    emailPreferences {
      receivesReminders
      receivesMailings
    }
  }
`);

/** The signed-in member with their plan, calendar URLs, sessions and email preferences. Refetched, since every booking changes the usage. */
export const useMyPlan = () =>
  useQuery({
    queryKey: ['me', 'plan'],
    staleTime: 0,
    queryFn: async () => {
      const { me, mySessions, emailPreferences } = await request(MY_PLAN_QUERY);
      return { member: requireMember(me), sessions: mySessions, emailPreferences };
    },
  });

/** @throws ApiError if the person of the session is no longer a member. */
export function requireMember<Member>(me: Member | null): Member {
  if (me === null) throw new ApiError('NOT_FOUND', getMemberText('session.notAMember'));
  return me;
}
