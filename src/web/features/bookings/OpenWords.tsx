import { Alert, Text } from '@mantine/core';
import { spanWords } from '../spaces/opening-hours.ts';
import { closureOn, openingOn } from './day-frame.ts';
import type { Place } from './day-queries.ts';

/** When the location is open on a day, or why it is not. */
export function OpenWords({ day, place }: { day: string; place: Place }) {
  const closure = closureOn(day, place);
  if (closure) {
    return (
      <Alert color="orange" mb="sm" title="Closed on this day">
        {closure.reason && <Text size="sm">{closure.reason}</Text>}
        <Text size="sm">Bookings that were made before stay: move or cancel them.</Text>
      </Alert>
    );
  }
  const open = openingOn(day, place).map(spanWords).join(', ');
  const words = place.openingHours.length === 0 ? 'Always open' : open ? `Open ${open}` : 'Closed';
  return (
    <Text size="sm" mb="sm">
      {words}
    </Text>
  );
}
