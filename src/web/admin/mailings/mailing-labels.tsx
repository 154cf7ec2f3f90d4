import { Progress, Text } from '@mantine/core';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { MailingStatus } from '../../gql/graphql.ts';
import type { Mailing } from './queries.ts';

const STATUS_LABELS: Record<MailingStatus, [color: string, label: string]> = {
  SENDING: ['yellow', 'Sending'],
  SENT: ['teal', 'Sent'],
  CANCELLED: ['gray', 'Cancelled'],
};

export function MailingStatusBadge({ status }: Pick<Mailing, 'status'>) {
  const [color, label] = STATUS_LABELS[status];
  return <StatusBadge color={color}>{label}</StatusBadge>;
}

/** Such as "Attendees of Summer party", or "Members with Flex at Riverside". */
export function formatMailingAudience({
  audience,
  event,
  plan,
  location,
}: Pick<Mailing, 'audience' | 'event' | 'plan' | 'location'>): string {
  if (audience === 'ATTENDEES') return event ? `Attendees of ${event.title}` : 'Attendees';
  return ['Members', plan && `with ${plan.name}`, location && `at ${location.name}`]
    .filter(Boolean)
    .join(' ');
}

/** The bar only repeats the text, so it is hidden from screen readers. */
export function MailingProgress({ mailing }: { mailing: Mailing }) {
  const { recipientCount, sentCount, failedCount } = mailing;
  const toPercent = (count: number) => (recipientCount > 0 ? (100 * count) / recipientCount : 0);
  return (
    <div style={{ maxWidth: 240 }}>
      <Text size="sm">
        {sentCount} of {recipientCount} sent{failedCount > 0 && `, ${failedCount} failed`}
      </Text>
      <Progress.Root size="sm" mt={4} aria-hidden>
        <Progress.Section value={toPercent(sentCount)} color="teal" />
        <Progress.Section value={toPercent(failedCount)} color="red" />
      </Progress.Root>
    </div>
  );
}

/** "1 person", "12 people". */
export const formatPeople = (count: number) => (count === 1 ? '1 person' : `${count} people`);
