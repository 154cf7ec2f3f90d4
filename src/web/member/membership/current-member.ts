import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import type { MyRecordQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type CurrentMember = NonNullable<MyRecordQuery['me']>;

const CURRENT_MEMBER_QUERY = graphql(`
  query MyRecord {
    me {
      id
      name
      email
      status
      code
      createdAt
      currentMembership {
        ...Membership
        usage {
          resourceType
          includedMinutes
          bookedMinutes
        }
      }
    }
  }
`);

/** Refetched by each page, since every booking changes the usage. */
export const useCurrentMember = () =>
  useQuery({
    queryKey: ['me'],
    staleTime: 0,
    queryFn: async () => {
      const { me } = await request(CURRENT_MEMBER_QUERY);
      if (me === null) throw new ApiError('NOT_FOUND', 'You’re no longer a member.');
      return me;
    },
  });
