import { presenting } from './presenting.ts';
import { ADDRESS_OR_CODE, HOST_NEEDS_ADDRESS, HOST_TOO_SHORT, TOO_SHORT } from './problems.ts';
import type { Kiosk } from './queries.ts';
import { searching } from './searching.ts';
import { understand } from './typed.ts';
import { useAttempt } from './use-attempt.ts';
import { useSteps } from './use-steps.ts';
import { useUploads } from './use-uploads.ts';

/** What a guest does at the door, step by step. The token is that of a paired kiosk. */
export function useKiosk(kiosk: Kiosk, token: string | null) {
  const attempts = useAttempt();
  const { isPending, isOnline, problem, setProblem } = attempts;
  const steps = useSteps(attempts.giveUp);
  const { step, leaving, restart } = steps;
  const uploads = useUploads(token);

  const atHand = { kiosk, token, steps, attempts, uploads };
  const { byCode, byHandle } = presenting(atHand);
  const { find, byMatch } = searching(atHand, { byHandle });
  const findsNames = kiosk.lookupNames && (token !== null || !kiosk.lookupNeedsKiosk);

  function submit(text: string, goes = leaving): Promise<void> | undefined {
    const typed = understand(text);
    if (typed.is === 'code') return byCode(typed.code, goes);
    if (typed.is === 'query') return find(typed.query, null);
    setProblem(findsNames ? TOO_SHORT : ADDRESS_OR_CODE);
    return undefined;
  }

  function visit(host: string, visitor: string): Promise<void> | undefined {
    const typed = understand(host);
    if (typed.is !== 'too short') return find(typed.is === 'query' ? typed.query : host, visitor);
    setProblem(findsNames ? HOST_TOO_SHORT : HOST_NEEDS_ADDRESS);
    return undefined;
  }

  return {
    ...{ step, leaving, isPending, isOnline, problem, uploads, findsNames },
    ...{ submit, visit, byCode, byMatch, restart },
  };
}

export type KioskState = ReturnType<typeof useKiosk>;
