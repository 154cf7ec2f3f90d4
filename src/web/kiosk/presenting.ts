import { v4 } from 'uuid';
import { isPassing } from '../api/errors.ts';
import { NO_CONNECTION, noted } from './problems.ts';
import { type CheckIn, checkIn, type Kiosk } from './queries.ts';
import { messageOf } from './results.ts';
import type { Attempts } from './use-attempt.ts';
import type { Steps } from './use-steps.ts';
import { isTimeout, type Uploads } from './use-uploads.ts';

/** What is at hand while a guest stands there. */
export interface AtHand {
  kiosk: Kiosk;
  token: string | null;
  steps: Steps;
  attempts: Attempts;
  uploads: Uploads;
}

/** Sends what a guest presents. Each time has a name of its own, so that sending it twice is safe. */
export function presenting({ kiosk, token, steps, attempts, uploads }: AtHand) {
  const { locationId, timeZone } = kiosk;
  const { attempt, setProblem } = attempts;

  /** Says what came of it. Who is in already may have wanted to go; what stands in the way of that is said at the start. */
  function tell(checkIn: CheckIn, leaving: boolean, visiting: boolean, leave: () => void) {
    const mayLeave = checkIn.result === 'ALREADY_IN' && !leaving;
    const onLeave = () => {
      steps.restart({ leaving: true });
      leave();
    };
    steps.show(messageOf({ checkIn, timeZone, leaving, visiting }), mayLeave ? onLeave : null);
  }

  function byCode(code: string, leaving = steps.leaving): Promise<void> {
    const scan = { locationId, code, leaving, scanId: v4() };
    const occurredAt = new Date().toISOString();
    return attempt(
      () => checkIn(scan, token),
      (checked) => tell(checked, leaving, false, () => void byCode(code, true)),
      () => steps.show(noted(uploads.later({ ...scan, occurredAt }), leaving)),
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
    return attempt(
      () => send().catch((thrown) => again(thrown, send)),
      (checked) => tell(checked, leaving, visitor !== null, leave),
      () => setProblem(NO_CONNECTION),
    );
  }

  return { byCode, byHandle };
}

/** Once more under the same name, where the answer may have been lost on the way. */
function again<Got>(thrown: unknown, work: () => Promise<Got>): Promise<Got> {
  if (isTimeout(thrown) || isPassing(thrown)) return work();
  throw thrown;
}
