import { Card, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { zoneNote } from '../zone-note.ts';
import classes from './EventList.module.css';
import { isForMembers, priceWords, stockWords } from './event-words.ts';
import type { ListedEvent } from './queries.ts';

export function EventCard({ event }: { event: ListedEvent }) {
  const { slug, title, summary, startsAt, endsAt, timeZone, location } = event;
  const stock = stockWords(event);
  const price = priceWords(event);
  return (
    <Card component="li" withBorder radius="md" padding="md" className={classes.card ?? ''}>
      <DayTile at={startsAt} timeZone={timeZone} />
      <div>
        <Link to={`/events/${slug}`} className={classes.title}>
          {title}
        </Link>
        <Text size="sm" mt={2}>
          {exactSpanIn(startsAt, endsAt, timeZone)}
          {zoneNote(startsAt, timeZone)}
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
          {stock && <StateBadge color={stock[0]}>{stock[1]}</StateBadge>}
          {isForMembers(event) && <StateBadge color="indigo">Members only</StateBadge>}
        </Group>
      </div>
    </Card>
  );
}

/** Says nothing that the line beside it does not say. */
function DayTile({ at, timeZone }: { at: string; timeZone: string }) {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone }).format(new Date(at));
  return (
    <div className={classes.day} aria-hidden="true">
      {part({ weekday: 'short' })}
      <b>{part({ day: 'numeric' })}</b>
      {part({ month: 'short' })}
    </div>
  );
}
