import { Anchor, List, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { spanIn, zoneWords } from '../../ui/place-words.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { useComingBookings } from '../bookings/coming-queries.ts';

/** Each leads to its day. */
export function MemberBookings({ member }: { member: { id: string } }) {
  const [from] = useState(() => new Date().toISOString());
  const bookings = useComingBookings(member.id, from);
  return (
    <Panel title="Coming bookings">
      <Loaded query={bookings} height={60}>
        {({ rows, isMore }) => (
          <>
            {rows.length === 0 && <Text size="sm">None.</Text>}
            <List size="sm" spacing={4}>
              {rows.map(({ id, startsAt, endsAt, location, resource, status }) => (
                <List.Item key={id}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/bookings?location=${location.id}&day=${dayAt(startsAt, location.timeZone)}`}
                  >
                    {resource.name}, {location.name}
                  </Anchor>
                  : {spanIn(startsAt, endsAt, location.timeZone)} ({zoneWords(location.timeZone)})
                  {status === 'PENDING' && ', waits for approval'}
                </List.Item>
              ))}
            </List>
            {isMore && (
              <Text size="sm" c="dimmed">
                And more after these.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
