import { useSearchParams } from 'react-router';
import type { ResourceType } from '../../gql/graphql.ts';
import { isDay } from '../../ui/wall-clock.ts';

/** What is looked for; it stands in the address, so that going back and reloading lose nothing. */
export interface Wish {
  place: string | null;
  day: string | null;
  minutes: number | null;
  type: ResourceType | null;
  people: number | null;
  /** Not before, HH:MM; empty: at any time. */
  after: string;
}

const TYPES: Record<string, ResourceType> = { room: 'ROOM', desk: 'DESK', equipment: 'EQUIPMENT' };

export function useWish() {
  const [query, setQuery] = useSearchParams();
  const change = (changes: Partial<Wish>) =>
    setQuery(
      (current) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') current.delete(name);
          else current.set(name, String(value).toLowerCase());
        }
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return [wishIn(query), change] as const;
}

function wishIn(query: URLSearchParams): Wish {
  const day = query.get('day');
  const after = query.get('after') ?? '';
  return {
    place: query.get('place'),
    day: day !== null && isDay(day) ? day : null,
    minutes: wholeNumber(query.get('minutes')),
    type: TYPES[query.get('type') ?? ''] ?? null,
    people: wholeNumber(query.get('people')),
    after: /^\d\d:\d\d$/.test(after) ? after : '',
  };
}

const wholeNumber = (text: string | null) =>
  text !== null && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
