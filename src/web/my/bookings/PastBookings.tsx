import { Button, Stack, Text, Title } from '@mantine/core';
import { asApiError } from '../../api/errors.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useMe } from '../me.ts';
import { BookingCards } from './BookingCards.tsx';
import { type MyBooking, usePast } from './queries.ts';

interface Props {
  now: Date;
  until: string;
  /** What is still ahead, and called off. */
  called: MyBooking[];
}

export function PastBookings({ now, until, called }: Props) {
  const me = useMe();
  const past = usePast(until, me.data?.createdAt);
  const over = past.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const known = new Set(called.map(({ id }) => id));
  const bookings = [
    ...called.toReversed(),
    ...over.filter(({ id, endsAt }) => !known.has(id) && new Date(endsAt) <= now),
  ];
  return (
    <section aria-labelledby="past">
      <Title id="past" order={2} size="h4" mb="sm">
        Past and cancelled
      </Title>
      <Stack gap="sm">
        <BookingCards label="Past and cancelled bookings" bookings={bookings} now={now} />
        {past.isSuccess && bookings.length === 0 && (
          <Text size="sm" c="dimmed">
            {past.hasNextPage ? 'None in the last months.' : 'None yet.'}
          </Text>
        )}
        {past.error && <ErrorState error={asApiError(past.error)} retry={past.refetch} />}
        {past.hasNextPage && (
          <Button
            variant="default"
            loading={past.isFetchingNextPage}
            onClick={() => past.fetchNextPage()}
          >
            Show earlier ones
          </Button>
        )}
      </Stack>
    </section>
  );
}
