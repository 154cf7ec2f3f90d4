import type { AtHand, presenting } from './presenting.ts';
import { HOSTS_NEED_THE_NETWORK, NAMES_NEED_THE_NETWORK, nobody, noHost } from './problems.ts';
import { lookUp, type Match } from './queries.ts';
import { isAddress } from './typed.ts';
import type { Found } from './use-steps.ts';

/** Finds members, for them to be chosen from; or a host, for a visitor. */
export function searching(
  { kiosk, token, steps, attempts: { attempt, setProblem } }: AtHand,
  { byHandle }: Pick<ReturnType<typeof presenting>, 'byHandle'>,
) {
  const search = (query: string, visitor: string | null, then: (found: Found) => void) =>
    attempt(
      () => lookUp(kiosk.locationId, query, token),
      (lookup) => {
        if (lookup.matches.length > 0) then({ query, lookup, visitor });
        else setProblem((visitor === null ? nobody : noHost)(lookup, query));
      },
      () => setProblem(visitor === null ? NAMES_NEED_THE_NETWORK : HOSTS_NEED_THE_NETWORK),
    );

  /** One person who is meant beyond doubt need not be chosen. */
  const find = (query: string, visitor: string | null) =>
    search(query, visitor, (found) => {
      const [first, second] = found.lookup.matches;
      if (first && !second && isAddress(query)) void byMatch(first, found);
      else steps.choose(found);
    });

  const byMatch = (match: Match, found: Found, leaving = steps.leaving): Promise<void> =>
    byHandle(
      match.handle,
      { visitor: found.visitor, leaving },
      () => void leaveAgain(match, found),
    );

  /** A handle is good once. Where the same words stand for several people, they choose once more. */
  const leaveAgain = ({ label, hint }: Match, { query, visitor }: Found) =>
    search(query, visitor, (found) => {
      const [same, another] = found.lookup.matches.filter(
        (match) => match.label === label && match.hint === hint,
      );
      if (same && !another) void byMatch(same, found, true);
      else steps.choose(found);
    });

  return { find, byMatch };
}
