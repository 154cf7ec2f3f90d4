import { type Person, personIn } from './person.ts';
import { type Property, parameter, plainText, textList } from './property.ts';

/** What an entry says besides when it is. */
export interface Details {
  title: string;
  description: string | null;
  location: string | null;
  categories: string[];
  organizer: Person | null;
  /** Those invited, without rooms and without those who declined. */
  attendees: Person[];
  /** CLASS is PRIVATE or CONFIDENTIAL. */
  isPrivate: boolean;
}

export function detailsIn(properties: Property[]): Details {
  const text = (name: string) =>
    plainText(properties.find((property) => property.name === name)?.value ?? '');
  const all = (name: string) => properties.filter((property) => property.name === name);
  const [organizer] = all('organizer');
  return {
    title: text('summary').replace(/\s+/g, ' '),
    description: text('description') || null,
    location: text('location') || null,
    categories: [...new Set(all('categories').flatMap(({ value }) => textList(value)))],
    organizer: organizer ? personIn(organizer) : null,
    attendees: all('attendee')
      .filter(isComing)
      .map(personIn)
      .filter((person) => person !== null),
    isPrivate: /^(PRIVATE|CONFIDENTIAL)$/i.test(text('class')),
  };
}

function isComing(attendee: Property): boolean {
  const isThing = /^(ROOM|RESOURCE)$/i.test(parameter(attendee, 'cutype') ?? '');
  return !isThing && parameter(attendee, 'partstat')?.toUpperCase() !== 'DECLINED';
}
