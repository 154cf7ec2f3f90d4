import type { MemberStatus } from '../../gql/graphql.ts';

export const MEMBER_STATUSES: {
  value: MemberStatus;
  label: string;
  color: string;
  description: string;
}[] = [
  { value: 'ACTIVE', label: 'Active', color: 'teal', description: 'May book and sign in' },
  { value: 'PAUSED', label: 'Paused', color: 'yellow', description: 'May sign in, but not book' },
  { value: 'FORMER', label: 'Former', color: 'gray', description: 'Has left, and is signed out' },
];

export const statusOf = (status: MemberStatus) =>
  MEMBER_STATUSES.find(({ value }) => value === status) ?? {
    label: status,
    color: 'gray',
    description: '',
  };
