import { formatTimeRange } from '../../../core/time/format.ts';
import type { Order } from '../types.ts';

/** The event or day pass of an order, with its time and place. */
export interface OrderSubject {
  title: string;
  /** Time and address of an event, or the location of a day pass. */
  lines: string[];
}

export function toOrderSubject({ event, locationName, items }: Order): OrderSubject {
  if (event) {
    return toEventSubject({
      ...event,
      locationName: event.location.name,
      address: event.location.address,
    });
  }
  const [item] = items;
  return toDayPassSubject({
    name: item?.dayPassType?.name ?? 'Day pass',
    validOn: item?.validOn ?? '',
    locationName,
  });
}

export const toEventSubject = (event: {
  title: string;
  startsAt: string;
  endsAt: string;
  timeZone: string;
  locationName: string;
  address: string | null;
}): OrderSubject => ({
  title: event.title,
  lines: [
    formatTimeRange(Date.parse(event.startsAt), Date.parse(event.endsAt), event.timeZone),
    [event.locationName, event.address].filter(Boolean).join(', '),
  ],
});

export const toDayPassSubject = (pass: {
  name: string;
  validOn: string;
  locationName: string | null;
}): OrderSubject => ({
  title: `${pass.name}, ${pass.validOn}`,
  lines: [pass.locationName ?? ''].filter(Boolean),
});

/** Formats a subject on one line: "Evening, 2026-03-19 19:00 to 22:00 (Europe/Berlin), Main house, 1 High Street". */
export const formatOrderSubject = ({ title, lines }: OrderSubject) => [title, ...lines].join(', ');
