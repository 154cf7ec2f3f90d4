import { v4 } from 'uuid';
import { isTransient } from '../api/errors.ts';
import {
  EMAIL_OR_CODE_REQUIRED,
  formatNoHostFound,
  formatNoMemberFound,
  HOST_EMAIL_REQUIRED,
  HOST_LOOKUP_OFFLINE,
  HOST_NAME_TOO_SHORT,
  LOOKUP_OFFLINE,
  NAME_TOO_SHORT,
  NO_CONNECTION,
  toQueuedMessage,
  toResultMessage,
} from './messages.ts';
import { isTimeout, type OfflineQueue, useOfflineQueue } from './offline-queue.ts';
import { isEmailAddress, parseKioskInput } from './parse-input.ts';
import { type CheckIn, checkIn, type Kiosk, lookUpMember, type MemberMatch } from './queries.ts';
import { type AsyncAction, useAsyncAction } from './use-async-action.ts';
import { type KioskSteps, type LookupResult, useSteps } from './use-steps.ts';

/** What a guest does at the door, step by step. The token is that of a paired kiosk. */
export function useKiosk(kiosk: Kiosk, token: string | null) {
  const attempts = useAsyncAction();
  const { isPending, isOnline, problem, setProblem } = attempts;
  const steps = useSteps(attempts.cancel);
  const { step, leaving, restart } = steps;
  const uploads = useOfflineQueue(token);

  const atHand = { kiosk, token, steps, action: attempts, queue: uploads };
  const { byCode, byHandle } = useKioskCheckIn(atHand);
  const { find, byMatch } = useKioskLookup(atHand, { byHandle });
  const findsNames = kiosk.lookupNames && (token !== null || !kiosk.lookupNeedsKiosk);

  function submit(text: string, goes = leaving): Promise<void> | undefined {
    const typed = parseKioskInput(text);
    if (typed.kind === 'code') return byCode(typed.code, goes);
    if (typed.kind === 'query') return find(typed.query, null);
    setProblem(findsNames ? NAME_TOO_SHORT : EMAIL_OR_CODE_REQUIRED);
    return undefined;
  }

  function visit(host: string, visitor: string): Promise<void> | undefined {
    const typed = parseKioskInput(host);
    if (typed.kind !== 'too short')
      return find(typed.kind === 'query' ? typed.query : host, visitor);
    setProblem(findsNames ? HOST_NAME_TOO_SHORT : HOST_EMAIL_REQUIRED);
    return undefined;
  }

  return {
    ...{ step, leaving, isPending, isOnline, problem, queue: uploads, findsNames },
    ...{ submit, visit, byCode, byMatch, restart },
  };
}

export type KioskState = ReturnType<typeof useKiosk>;

/** What is at hand while a guest stands there. */
interface KioskContext {
  kiosk: Kiosk;
  token: string | null;
  steps: KioskSteps;
  action: AsyncAction;
  queue: OfflineQueue;
}

/** Sends what a guest presents. Each time has a name of its own, so that sending it twice is safe. */
function useKioskCheckIn({ kiosk, token, steps, action, queue }: KioskContext) {
  const { locationId, timeZone } = kiosk;
  const { run, setProblem } = action;

  /** Says what came of it. Who is in already may have wanted to go; what stands in the way of that is said at the start. */
  function tell(checkIn: CheckIn, leaving: boolean, visiting: boolean, leave: () => void) {
    const mayLeave = checkIn.result === 'ALREADY_IN' && !leaving;
    const onLeave = () => {
      steps.restart({ leaving: true });
      leave();
    };
    steps.show(
      toResultMessage({ checkIn, timeZone, leaving, visiting }),
      mayLeave ? onLeave : null,
    );
  }

  function byCode(code: string, leaving = steps.leaving): Promise<void> {
    const scan = { locationId, code, leaving, scanId: v4() };
    const occurredAt = new Date().toISOString();
    return run(
      () => checkIn(scan, token),
      (checked) => tell(checked, leaving, false, () => void byCode(code, true)),
      () => steps.show(toQueuedMessage(queue.enqueue({ ...scan, occurredAt }), leaving)),
    );
  }

  function byHandle(
    handle: string,
    { visitor, leaving }: { visitor: string | null; leaving: boolean },
    leave: () => void,
  ): Promise<void> {
    const input = {
      ...{ locationId, handle, leaving, scanId: v4() },
      ...(visitor === null ? {} : { visitor: { name: visitor } }),
    };
    const send = () => checkIn(input, token);
    return run(
      () => send().catch((thrown) => retryOnce(thrown, send)),
      (checked) => tell(checked, leaving, visitor !== null, leave),
      () => setProblem(NO_CONNECTION),
    );
  }

  return { byCode, byHandle };
}

/** Once more under the same name, where the answer may have been lost on the way. */
function retryOnce<Got>(thrown: unknown, work: () => Promise<Got>): Promise<Got> {
  if (isTimeout(thrown) || isTransient(thrown)) return work();
  throw thrown;
}

/** Finds members, for them to be chosen from; or a host, for a visitor. */
function useKioskLookup(
  { kiosk, token, steps, action: { run, setProblem } }: KioskContext,
  { byHandle }: Pick<ReturnType<typeof useKioskCheckIn>, 'byHandle'>,
) {
  const search = (query: string, visitor: string | null, then: (found: LookupResult) => void) =>
    run(
      () => lookUpMember(kiosk.locationId, query, token),
      (lookup) => {
        if (lookup.matches.length > 0) then({ query, lookup, visitor });
        else
          setProblem((visitor === null ? formatNoMemberFound : formatNoHostFound)(lookup, query));
      },
      () => setProblem(visitor === null ? LOOKUP_OFFLINE : HOST_LOOKUP_OFFLINE),
    );

  /** One person who is meant beyond doubt need not be chosen. */
  const find = (query: string, visitor: string | null) =>
    search(query, visitor, (found) => {
      const [first, second] = found.lookup.matches;
      if (first && !second && isEmailAddress(query)) void byMatch(first, found);
      else steps.choose(found);
    });

  const byMatch = (
    match: MemberMatch,
    found: LookupResult,
    leaving = steps.leaving,
  ): Promise<void> =>
    byHandle(
      match.handle,
      { visitor: found.visitor, leaving },
      () => void leaveAgain(match, found),
    );

  /** A handle is good once. Where the same words stand for several people, they choose once more. */
  const leaveAgain = ({ label, hint }: MemberMatch, { query, visitor }: LookupResult) =>
    search(query, visitor, (found) => {
      const [same, another] = found.lookup.matches.filter(
        (match) => match.label === label && match.hint === hint,
      );
      if (same && !another) void byMatch(same, found, true);
      else steps.choose(found);
    });

  return { find, byMatch };
}
