import type { EventDetails } from './event-queries.ts';

interface Hint {
  key: string;
  words: string;
  /** It cannot be published before. */
  isInTheWay?: boolean;
}

/** What one would want to see to before a draft is published. */
export function missingOf(event: EventDetails, now = new Date()): Hint[] {
  const { ticketTypes, description, summary, endsAt, capacity } = event;
  const offered = ticketTypes.filter(({ active }) => active);
  const hints: (Hint | false)[] = [
    new Date(endsAt) <= now && {
      key: 'over',
      words: 'Its time is over. Move it to a time to come: only then can it be published.',
      isInTheWay: true,
    },
    offered.length === 0 && {
      key: 'types',
      words:
        'No ticket types: published like this it is an announcement, and nobody can sign up. A ticket type without a price is a registration.',
    },
    offered.length > 0 &&
      capacity === null &&
      offered.some(({ quantity }) => quantity === null) && {
        key: 'limit',
        words:
          'No limit: as many tickets are sold as people like. Set a capacity if space is short.',
      },
    !description &&
      !summary && { key: 'text', words: 'No announcement: say in a few words what happens.' },
  ];
  return hints.filter((hint) => hint !== false);
}
