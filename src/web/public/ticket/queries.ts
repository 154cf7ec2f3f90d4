import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { AdmissionQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Admission = AdmissionQuery['admission'];

const ONE = graphql(`
  query Admission($code: String!) {
    admission(code: $code) {
      code
      status
      holderName
      typeName
      event {
        slug
        title
        startsAt
        endsAt
      }
      validOn
      timeZone
      placeName
      address
    }
  }
`);

export const useAdmission = (code: string) =>
  useQuery({
    queryKey: ['admission', code],
    queryFn: async ({ signal }) => (await request(ONE, { code }, signal)).admission,
    refetchOnWindowFocus: 'always',
  });
