import { Stack, Title } from '@mantine/core';
import { dayAt } from '../../ui/wall-clock.ts';
import { EventCard } from './EventCard.tsx';
import classes from './EventList.module.css';
import type { ListedEvent } from './queries.ts';

/** By month, as the clocks of each place count it. */
export function EventList({ events }: { events: ListedEvent[] }) {
  return (
    <Stack gap="xl">
      {[...byMonth(events)].map(([month, ofMonth]) => (
        <section key={month} aria-labelledby={`month-${month}`}>
          <Title id={`month-${month}`} order={2} size="h4" mb="sm">
            {monthWords(month)}
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

function byMonth(events: ListedEvent[]): Map<string, ListedEvent[]> {
  const months = new Map<string, ListedEvent[]>();
  for (const event of events) {
    const month = dayAt(event.startsAt, event.timeZone).slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), event]);
  }
  return months;
}

const monthFormat = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const monthWords = (month: string) => monthFormat.format(new Date(`${month}-01T00:00:00Z`));
