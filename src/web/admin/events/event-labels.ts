import type { EventStatus, EventVisibility } from '../../gql/graphql.ts';

export const EVENT_STATUS_LABELS: Record<EventStatus, { color: string; label: string }> = {
  DRAFT: { color: 'yellow', label: 'Draft' },
  PUBLISHED: { color: 'teal', label: 'Published' },
  CANCELLED: { color: 'gray', label: 'Cancelled' },
};

export const EVENT_VISIBILITY_OPTIONS: {
  value: EventVisibility;
  label: string;
  description: string;
}[] = [
  { value: 'PUBLIC', label: 'Everyone', description: 'Listed on the public pages' },
  { value: 'MEMBERS', label: 'Members only', description: 'Only signed-in members can see it' },
];

export const formatAudience = (visibility: EventVisibility) =>
  EVENT_VISIBILITY_OPTIONS.find(({ value }) => value === visibility)?.label ?? '';

/** "1 ticket", "3 tickets" */
export const formatTicketCount = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`);

export const formatRefundDeadline = (hours: number | null) => {
  if (hours === null) return 'Buyers cannot cancel online';
  if (hours === 0) return 'Buyers can cancel online until the event starts';
  return `Buyers can cancel online until ${hours} h before the event starts`;
};
