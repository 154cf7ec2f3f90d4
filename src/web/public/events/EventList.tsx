import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { useTimeZoneSuffix } from '../../components/browser-time.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import {
  formatLocalDate,
  formatLocalDateTimeRange,
  formatMonth,
} from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import classes from './EventList.module.css';
import type { ListedEvent } from './queries.ts';
import { formatPriceRange, isMembersOnly, toEventStockBadge } from './ticket-availability.ts';

/** Groups events by month, in the time zone of each location. */
export function EventList({ events }: { events: ListedEvent[] }) {
  return (
    <Stack gap="xl">
      {[...groupByMonth(events)].map(([month, ofMonth]) => (
        <section key={month} aria-labelledby={`month-${month}`}>
          <Title id={`month-${month}`} order={2} size="h4" mb="sm">
            {formatMonth(`${month}-01`)}
          </Title>
          <Stack component="ul" className={classes.cards ?? ''} gap="sm">
            {ofMonth.map((event) => (
              <EventCard key={event.id} event={event} />
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

function groupByMonth(events: ListedEvent[]): Map<string, ListedEvent[]> {
  const months = new Map<string, ListedEvent[]>();
  for (const event of events) {
    const month = toLocalDate(event.startsAt, event.timeZone).slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), event]);
  }
  return months;
}

function EventCard({ event }: { event: ListedEvent }) {
  const { slug, title, summary, startsAt, endsAt, timeZone, location } = event;
  const formatTimeZoneSuffix = useTimeZoneSuffix();
  const stock = toEventStockBadge(event);
  const price = formatPriceRange(event);
  return (
    <Card component="li" withBorder radius="md" padding="md" className={classes.card ?? ''}>
      <DayTile startsAt={startsAt} timeZone={timeZone} />
      <div>
        <Link to={`/events/${slug}`} className={classes.title}>
          {title}
        </Link>
        <Text size="sm" mt={2}>
          {formatLocalDateTimeRange(startsAt, endsAt, timeZone)}
          {formatTimeZoneSuffix(startsAt, timeZone)}
        </Text>
        <Text size="sm" c="dimmed">
          {location.name}
        </Text>
        {summary && (
          <Text size="sm" mt={6} lineClamp={3}>
            {summary}
          </Text>
        )}
        <Group gap="xs" mt={8}>
          {price && (
            <Text size="sm" fw={600}>
              {price}
            </Text>
          )}
          {stock && <StatusBadge color={stock[0]}>{stock[1]}</StatusBadge>}
          {isMembersOnly(event) && (
            <StatusBadge color="indigo">{getText('event.membersOnly')}</StatusBadge>
          )}
        </Group>
      </div>
    </Card>
  );
}

/** Hidden from screen readers, because the line next to it says the same. */
function DayTile({ startsAt, timeZone }: { startsAt: string; timeZone: string }) {
  const [weekday, day, month] = formatLocalDate(startsAt, timeZone).split(/,? /);
  return (
    <div className={classes.day} aria-hidden="true">
      {weekday}
      <b>{day}</b>
      {month}
    </div>
  );
}
