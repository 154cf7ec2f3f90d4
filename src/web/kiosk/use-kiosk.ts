import { useCallback, useState } from 'react';
import { v4 } from 'uuid';
import { isPassing } from '../api/errors.ts';
import {
  HOST_NEEDS_ADDRESS,
  HOST_TOO_SHORT,
  HOSTS_NEED_THE_NETWORK,
  NAMES_NEED_THE_NETWORK,
  NO_CONNECTION,
  nobody,
  noHost,
  noted,
  TOO_SHORT,
} from './problems.ts';
import { type CheckIn, checkIn, type Kiosk, type Lookup, lookUp, type Match } from './queries.ts';
import { type Answered, type Message, messageOf } from './results.ts';
import { isAddress, understand } from './typed.ts';
import { useAttempt } from './use-attempt.ts';
import { isTimeout, useUploads } from './use-uploads.ts';

export type Step =
  | { at: 'start' }
  /** Somebody who comes to see a member, or goes from one. */
  | { at: 'visitor' }
  | { at: 'matches'; found: Found }
  | { at: 'result'; message: Message; onLeave: (() => void) | null };

/** What was asked, what came of it, and the name of a visitor who asked for a host. */
export interface Found {
  query: string;
  lookup: Lookup;
  visitor: string | null;
}

const START: Step = { at: 'start' };

/** What a guest does at the door, step by step. Each attempt has a name of its own, so that sending it twice is safe. */
export function useKiosk(kiosk: Kiosk) {
  const [step, setStep] = useState<Step>(START);
  const [leaving, setLeaving] = useState(false);
  const { isPending, isOnline, problem, setProblem, attempt, giveUp } = useAttempt();
  const uploads = useUploads();

  const restart = useCallback(
    (next: { leaving?: boolean; at?: 'start' | 'visitor' } = {}) => {
      giveUp();
      setLeaving(next.leaving ?? false);
      setStep({ at: next.at ?? 'start' });
    },
    [giveUp],
  );

  const show = (message: Message, onLeave: (() => void) | null = null) =>
    setStep({ at: 'result', message, onLeave });
  /** Who is in already may have wanted to go. What stands in the way of that is said at the start. */
  const orLeave = ({ result }: CheckIn, goes: boolean, leave: () => Promise<void>) => {
    if (result !== 'ALREADY_IN' || goes) return null;
    return () => {
      restart({ leaving: true });
      void leave();
    };
  };
  const answer = (checkIn: CheckIn, more: Pick<Answered, 'leaving' | 'visiting'>) =>
    messageOf({ checkIn, timeZone: kiosk.timeZone, ...more });

  function byCode(code: string, goes = leaving): Promise<void> {
    const scan = {
      locationId: kiosk.locationId,
      code,
      leaving: goes,
      scanId: v4(),
    };
    const occurredAt = new Date().toISOString();
    return attempt(
      () => checkIn(scan),
      (checked) => {
        const message = answer(checked, { leaving: goes, visiting: false });
        show(
          message,
          orLeave(checked, goes, () => byCode(code, true)),
        );
      },
      () => show(noted(uploads.later({ ...scan, occurredAt }), goes)),
    );
  }

  function byMatch(match: Match, found: Found, goes = leaving): Promise<void> {
    const { visitor } = found;
    const scanId = v4();
    const input = {
      locationId: kiosk.locationId,
      handle: match.handle,
      leaving: goes,
      scanId,
      ...(visitor === null ? {} : { visitor: { name: visitor } }),
    };
    return attempt(
      () => checkIn(input).catch((thrown) => again(thrown, () => checkIn(input))),
      (checked) => {
        const message = answer(checked, { leaving: goes, visiting: visitor !== null });
        show(
          message,
          orLeave(checked, goes, () => leaveAgain(match, found)),
        );
      },
      () => setProblem(NO_CONNECTION),
    );
  }

  /** A handle is good once. Where the same words stand for several people, they choose once more. */
  const leaveAgain = ({ label, hint }: Match, { query, visitor }: Found) =>
    search(query, visitor, (found) => {
      const [same, another] = found.lookup.matches.filter(
        (match) => match.label === label && match.hint === hint,
      );
      if (same && !another) void byMatch(same, found, true);
      else setStep({ at: 'matches', found });
    });

  /** One person who is meant beyond doubt need not be chosen. */
  const find = (query: string, visitor: string | null) =>
    search(query, visitor, (found) => {
      const [first, second] = found.lookup.matches;
      if (first && !second && isAddress(query)) void byMatch(first, found);
      else setStep({ at: 'matches', found });
    });

  const search = (query: string, visitor: string | null, then: (found: Found) => void) =>
    attempt(
      () => lookUp(kiosk.locationId, query),
      (lookup) => {
        if (lookup.matches.length > 0) then({ query, lookup, visitor });
        else setProblem((visitor === null ? nobody : noHost)(lookup, query));
      },
      () => setProblem(visitor === null ? NAMES_NEED_THE_NETWORK : HOSTS_NEED_THE_NETWORK),
    );

  function submit(text: string, goes = leaving): Promise<void> | undefined {
    const typed = understand(text);
    if (typed.is === 'code') return byCode(typed.code, goes);
    if (typed.is === 'query') return find(typed.query, null);
    setProblem(TOO_SHORT);
    return undefined;
  }

  function visit(host: string, visitor: string): Promise<void> | undefined {
    const typed = understand(host);
    if (typed.is !== 'too short') return find(typed.is === 'query' ? typed.query : host, visitor);
    setProblem(kiosk.lookupNames ? HOST_TOO_SHORT : HOST_NEEDS_ADDRESS);
    return undefined;
  }

  return {
    step,
    leaving,
    isPending,
    isOnline,
    problem,
    uploads,
    submit,
    visit,
    byCode,
    byMatch,
    restart,
  };
}

export type KioskState = ReturnType<typeof useKiosk>;

/** Once more under the same name, where the answer may have been lost on the way. */
function again<Got>(thrown: unknown, work: () => Promise<Got>): Promise<Got> {
  if (isTimeout(thrown) || isPassing(thrown)) return work();
  throw thrown;
}
