import type { EventStatus, EventVisibility } from '../../gql/graphql.ts';

export const STATUSES: Record<EventStatus, { color: string; label: string }> = {
  DRAFT: { color: 'yellow', label: 'Draft' },
  PUBLISHED: { color: 'teal', label: 'Published' },
  CANCELLED: { color: 'gray', label: 'Cancelled' },
};

export const VISIBILITIES: { value: EventVisibility; label: string; description: string }[] = [
  { value: 'PUBLIC', label: 'Everybody', description: 'It stands on the public pages' },
  { value: 'MEMBERS', label: 'Members only', description: 'Only members who sign in see it' },
];

export const forWhom = (visibility: EventVisibility) =>
  VISIBILITIES.find(({ value }) => value === visibility)?.label ?? '';

/** "1 ticket", "3 tickets" */
export const ticketsWords = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`);

export const refundWords = (hours: number | null) => {
  if (hours === null) return 'Buyers do not get their money back by themselves';
  if (hours === 0) return 'Buyers get their money back until it begins';
  return `Buyers get their money back until ${hours} h before it begins`;
};

/** "3 of 10", or "3" where there is no limit. */
export const soldWords = (sold: number, of: number | null) =>
  of === null ? `${sold}` : `${sold} of ${of}`;
