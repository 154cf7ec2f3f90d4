/** Who comes, as far as it was filled in. */
export interface Person {
  name: string;
  email: string;
}

const NOBODY: Person = { name: '', email: '' };

/** As many as there are tickets, whatever has been filled in so far. */
export const seats = (people: Person[], count: number): Person[] =>
  Array.from({ length: count }, (_, at) => people[at] ?? NOBODY);

/** Those left out are the buyer's; null where nobody was named. */
export function named(people: Person[], count: number, buyer: Person) {
  const all = seats(people, count);
  if (all.every(({ name }) => name.trim() === '')) return null;
  return all.map(({ name, email }) =>
    name.trim() ? { name: name.trim(), email: email.trim() || null } : buyer,
  );
}
