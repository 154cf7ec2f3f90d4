import { useQuery } from '@tanstack/react-query';
import type {
  CheckInInput,
  KioskCheckInFragment,
  KioskQuery,
  LookUpQuery,
} from '../gql/graphql.ts';
import { graphql } from '../gql/index.ts';
import { sendKioskRequest } from './kiosk-client.ts';

export type Kiosk = KioskQuery['kiosk'];
export type CheckIn = KioskCheckInFragment;
export type MemberLookup = LookUpQuery['lookUpMember'];
export type MemberMatch = MemberLookup['matches'][number];

const KIOSKS_QUERY = graphql(`
  query Kiosks {
    kiosks {
      locationId
      name
    }
  }
`);

export const useKiosks = () =>
  useQuery({
    queryKey: ['kiosks'],
    queryFn: async () =>
      (await sendKioskRequest(null, (foyer) => foyer.query(KIOSKS_QUERY))).kiosks,
  });

const KIOSK_QUERY = graphql(`
  query Kiosk($location: String!) {
    kiosk(location: $location) {
      locationId
      name
      timeZone
      lookupNames
      lookupAccess
    }
  }
`);

const LOOK_UP_QUERY = graphql(`
  query LookUp($locationId: ID!, $query: String!) {
    lookUpMember(locationId: $locationId, query: $query) {
      tooMany
      namesOff
      matches {
        handle
        label
        hint
      }
    }
  }
`);

graphql(`
  fragment KioskCheckIn on CheckIn {
    result
    unconfirmed
    checkOutToken
    label
    checkedInAt
    subject {
      type
      title
    }
  }
`);

const CHECK_IN_MUTATION = graphql(`
  mutation CheckInAtKiosk($input: CheckInInput!) {
    checkIn(input: $input) {
      checkIn {
        ...KioskCheckIn
      }
    }
  }
`);

const CHECK_OUT_MUTATION = graphql(`
  mutation CheckOutAtKiosk($token: String!) {
    checkOut(input: { token: $token }) {
      checkIn {
        ...KioskCheckIn
      }
    }
  }
`);

export const fetchKiosk = async (location: string, signal: AbortSignal) =>
  (await sendKioskRequest(null, (foyer) => foyer.query(KIOSK_QUERY, { location }, { signal })))
    .kiosk;

export const lookUpMember = async (locationId: string, query: string, token: string | null) =>
  (await sendKioskRequest(token, (foyer) => foyer.query(LOOK_UP_QUERY, { locationId, query })))
    .lookUpMember;

export const checkIn = async (input: CheckInInput, token: string | null) =>
  (await sendKioskRequest(token, (foyer) => foyer.mutate(CHECK_IN_MUTATION, { input }))).checkIn
    .checkIn;

/** Ends the visit that this kiosk began. */
export const checkOut = async (checkOutToken: string) =>
  (
    await sendKioskRequest(null, (foyer) =>
      foyer.mutate(CHECK_OUT_MUTATION, { token: checkOutToken }),
    )
  ).checkOut.checkIn;
