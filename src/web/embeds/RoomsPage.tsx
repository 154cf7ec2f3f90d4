import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatLocalTime } from '../../core/time/format.ts';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { request } from '../api/request.ts';
import { MEMBER_PATH } from '../api/urls.ts';
import { useNow } from '../components/browser-time.tsx';
import { DayField } from '../components/DayField.tsx';
import { EmptyState, PageHeader } from '../components/PageLayout.tsx';
import { QueryOrNotFound } from '../components/QueryBoundary.tsx';
import { useUrlQuery } from '../components/url-query.ts';
import { isCalendarDate } from '../components/wall-clock.ts';
import type { FreeRoomsQuery } from '../gql/graphql.ts';
import { graphql } from '../gql/index.ts';
import { formatTimeZone } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';

const FREE_ROOMS_QUERY = graphql(`
  query FreeRooms($location: String, $date: Date) {
    publicAvailability(location: $location, date: $date) {
      location
      timeZone
      date
      rooms {
        name
        free {
          startsAt
          endsAt
        }
      }
    }
  }
`);

const useFreeRooms = (location: string | null, date: string | null) =>
  useQuery({
    queryKey: ['free-rooms', location, date],
    queryFn: async ({ signal }) =>
      (await request(FREE_ROOMS_QUERY, { location, date }, signal)).publicAvailability,
    placeholderData: keepPreviousData,
  });

/** When rooms are free, and the way to book them, which needs a membership. */
export function Component() {
  const [query, change] = useUrlQuery();
  const requested = query.get('day');
  const day = requested !== null && isCalendarDate(requested) ? requested : null;
  const availability = useFreeRooms(query.get('location'), day);
  return (
    <QueryOrNotFound query={availability} height={320} notFound={<NoRooms />}>
      {(found) => <FreeRooms found={found} onChange={(day) => change({ day })} />}
    </QueryOrNotFound>
  );
}

interface FreeRoomsProps {
  found: FreeRoomsQuery['publicAvailability'];
  onChange: (day: string) => void;
}

function FreeRooms({ found: { location, timeZone, date, rooms }, onChange }: FreeRoomsProps) {
  const today = toLocalDate(useNow(60), timeZone);
  return (
    <>
      <PageHeader
        title={getText('embed.freeRooms')}
        description={`${location}, ${formatTimeZone(timeZone)}`}
        action={
          <Button component="a" href={`${MEMBER_PATH}/book`}>
            {getText('embed.signInToBook')}
          </Button>
        }
      />
      <DayField today={today} day={date} onChange={onChange} />
      <Stack gap="sm" mt="lg">
        {rooms.map(({ name, free }) => (
          <Paper key={name} component="section" aria-label={name} withBorder radius="md" p="md">
            <Title order={2} size="h5">
              {name}
            </Title>
            {free.length === 0 ? (
              <Text size="sm" c="dimmed">
                {getText('embed.notFree')}
              </Text>
            ) : (
              <Group component="ul" gap={6} mt={6} p={0} style={{ listStyle: 'none' }}>
                {free.map(({ startsAt, endsAt }) => (
                  <Badge key={startsAt} component="li" variant="light" size="lg">
                    {formatLocalTime(startsAt, timeZone)} – {formatLocalTime(endsAt, timeZone)}
                  </Badge>
                ))}
              </Group>
            )}
          </Paper>
        ))}
      </Stack>
    </>
  );
}

const NoRooms = () => (
  <EmptyState icon={IconCalendar} title={getText('embed.notShown')}>
    {getText('embed.askDesk')}
  </EmptyState>
);
