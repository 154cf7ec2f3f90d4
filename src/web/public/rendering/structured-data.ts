import type { Event, ItemList, Offer, Place, Service, WithContext } from 'schema-dts';
import { formatDecimal, type Money } from '../../../core/money.ts';
import { toLocalTimestamp } from '../../../core/time/format.ts';
import type { SaleState } from '../../gql/graphql.ts';
import { getPageLanguage, getText } from '../../language/page-texts.ts';
import { findSpaceName } from '../../language/space-name.ts';
import type { OfferedPass } from '../day-passes/queries.ts';
import type { ListedEvent, OfferedEvent } from '../events/queries.ts';

// What search engines and messengers read, in the vocabulary of schema.org. Its types check the names.

type ToUrl = (path: string) => string;

const CONTEXT = { '@context': 'https://schema.org' } as const;

/** Describes an event with its tickets. */
export function describeEvent(event: OfferedEvent, toUrl: ToUrl): WithContext<Event> {
  const { slug, title, summary, description, startsAt, endsAt, timeZone, location } = event;
  const url = toUrl(`events/${slug}`);
  return {
    ...CONTEXT,
    '@type': 'Event',
    name: title,
    url,
    inLanguage: getPageLanguage(),
    ...((summary ?? description) !== null && { description: summary ?? description ?? '' }),
    startDate: toLocalTimestamp(startsAt, timeZone),
    endDate: toLocalTimestamp(endsAt, timeZone),
    eventStatus:
      event.status === 'CANCELLED'
        ? 'https://schema.org/EventCancelled'
        : 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: toPlace(location, event.resource?.name),
    organizer: {
      '@type': 'Organization',
      name: findSpaceName() ?? location.name,
      url: toUrl('events'),
    },
    ...(event.tags.length > 0 && { keywords: event.tags.join(', ') }),
    ...(event.ticketTypes.length > 0 && {
      isAccessibleForFree: event.ticketTypes.every(({ price }) => price.amount === 0),
      offers: event.ticketTypes.map((type): Offer => {
        const isOffered = event.status !== 'CANCELLED' && type.saleState !== 'CLOSED';
        return {
          '@type': 'Offer',
          name: type.name,
          url,
          ...toPrice(type.price),
          availability: isOffered
            ? AVAILABILITY[type.saleState]
            : 'https://schema.org/Discontinued',
          ...(type.audience === 'MEMBERS' && { category: 'Members only' }),
          ...(type.salesStartAt && { validFrom: toLocalTimestamp(type.salesStartAt, timeZone) }),
          validThrough: toLocalTimestamp(type.salesEndAt ?? endsAt, timeZone),
        };
      }),
    }),
  };
}

const AVAILABILITY = {
  OPEN: 'https://schema.org/InStock',
  NOT_YET: 'https://schema.org/PreOrder',
  SOLD_OUT: 'https://schema.org/SoldOut',
  CLOSED: 'https://schema.org/Discontinued',
} as const satisfies Record<SaleState, string>;

/** Lists events by their pages. */
export const describeEvents = (events: ListedEvent[], toUrl: ToUrl): WithContext<ItemList> => ({
  ...CONTEXT,
  '@type': 'ItemList',
  itemListElement: events.map(({ slug, title }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    url: toUrl(`events/${slug}`),
  })),
});

/** Describes the day passes that one can buy today, by location. */
export const describePasses = (types: OfferedPass[], toUrl: ToUrl): WithContext<ItemList> => ({
  ...CONTEXT,
  '@type': 'ItemList',
  itemListElement: types.map((type, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    item: {
      '@type': 'Service',
      name: `${type.name}, ${type.location.name}`,
      serviceType: getText('page.passService'),
      ...(type.description !== null && { description: type.description }),
      areaServed: toPlace(type.location),
      offers: { '@type': 'Offer', url: toUrl('day-passes'), ...toPrice(type.price) },
    } satisfies Service,
  })),
});

const toPlace = (
  { name, address }: { name: string; address: string | null },
  room?: string,
): Place => ({
  '@type': 'Place',
  name: room === undefined ? name : `${name}, ${room}`,
  ...(address !== null && { address }),
});

const toPrice = (price: Money) => ({
  price: formatDecimal(price),
  priceCurrency: price.currency,
});
