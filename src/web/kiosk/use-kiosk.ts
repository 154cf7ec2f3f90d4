import { useCallback, useState } from 'react';
import { v4 } from 'uuid';
import { isTransient } from '../api/errors.ts';
import { isEmailAddress } from '../components/email-address.ts';
import { getText } from '../language/page-texts.ts';
import { createStoredList } from './kiosk-storage.ts';
import {
  formatNoHostFound,
  formatNoMemberFound,
  isIn,
  type KioskMessage,
  toCheckOutUnavailable,
  toQueuedMessage,
  toResultMessage,
} from './messages.ts';
import { type OfflineQueue, useOfflineQueue } from './offline-queue.ts';
import { createOwnVisits } from './own-visits.ts';
import { parseKioskInput } from './parse-input.ts';
import {
  type CheckIn,
  checkIn,
  type Kiosk,
  lookUpMember,
  type MemberLookup,
  type MemberMatch,
  checkOut as sendCheckOut,
} from './queries.ts';
import { type AsyncAction, useAsyncAction } from './use-async-action.ts';

const ownVisits = createOwnVisits(createStoredList('kiosk-own-visits'));

/** Runs the guest's flow at a kiosk. The token is that of a paired kiosk. */
export function useKiosk(kiosk: Kiosk, token: string | null) {
  const action = useAsyncAction();
  const { isPending, isOnline, problem, setProblem } = action;
  const steps = useSteps(action.cancel);
  const { step, leaving, restart } = steps;
  const queue = useOfflineQueue(token);

  const context = { kiosk, token, steps, action, queue };
  const { checkInByCode, ...byHandle } = useKioskCheckIn(context);
  const { findMember, selectMatch } = useKioskLookup(context, byHandle);
  const canLookUp = token !== null || kiosk.lookupAccess === 'PUBLIC';
  const canLookUpNames = canLookUp && kiosk.lookupNames;

  function submit(text: string, isLeaving = leaving): Promise<void> | undefined {
    const input = parseKioskInput(text);
    if (input.kind === 'code') return checkInByCode(input.code, isLeaving);
    if (canLookUp && input.kind === 'query') return findMember(input.query, null);
    if (!canLookUp) setProblem(getText('kiosk.pairingNeeded'));
    else setProblem(getText(canLookUpNames ? 'kiosk.nameTooShort' : 'kiosk.emailOrCodeRequired'));
    return undefined;
  }

  function findHost(host: string, visitor: string): Promise<void> | undefined {
    const input = parseKioskInput(host);
    if (input.kind !== 'too-short')
      return findMember(input.kind === 'query' ? input.query : host, visitor);
    setProblem(getText(canLookUpNames ? 'kiosk.hostNameTooShort' : 'kiosk.hostEmailRequired'));
    return undefined;
  }

  return {
    ...{ step, leaving, isPending, isOnline, problem, queue, canLookUp, canLookUpNames },
    ...{ submit, findHost, checkInByCode, selectMatch, restart },
  };
}

export type KioskState = ReturnType<typeof useKiosk>;

export type KioskStep =
  | { at: 'start' }
  | { at: 'visitor' }
  | { at: 'matches'; result: LookupResult }
  | { at: 'result'; message: KioskMessage; onLeave: (() => void) | null };

interface LookupResult {
  query: string;
  lookup: MemberLookup;
  /** The visitor's name if the lookup is for a host. */
  visitor: string | null;
}

/** Tracks the current screen and whether the guest arrives or leaves. */
function useSteps(cancelAction: () => void) {
  const [step, setStep] = useState<KioskStep>({ at: 'start' });
  const [leaving, setLeaving] = useState(false);

  const restart = useCallback(
    (next: { leaving?: boolean; at?: 'start' | 'visitor' } = {}) => {
      cancelAction();
      setLeaving(next.leaving ?? false);
      setStep({ at: next.at ?? 'start' });
    },
    [cancelAction],
  );
  const showMatches = (result: LookupResult) => setStep({ at: 'matches', result });
  const showMessage = (message: KioskMessage, onLeave: (() => void) | null = null) =>
    setStep({ at: 'result', message, onLeave });

  return { step, leaving, restart, showMatches, showMessage };
}

type KioskSteps = ReturnType<typeof useSteps>;

interface KioskContext {
  kiosk: Kiosk;
  token: string | null;
  steps: KioskSteps;
  action: AsyncAction;
  queue: OfflineQueue;
}

/** Sends check-ins and check-outs. Each has a scan id, so that sending it twice is safe. */
function useKioskCheckIn({ kiosk, token, steps, action, queue }: KioskContext) {
  const { locationId, timeZone } = kiosk;
  const { run, setProblem } = action;

  /** Shows the result. Guests who are in may want to leave, also if they could not be admitted any more, so the screen offers that. */
  function showResult(
    checkIn: CheckIn,
    { leaving, visiting }: { leaving: boolean; visiting: boolean },
    checkOut: () => void,
  ) {
    const canLeave = isIn(checkIn) && !leaving;
    const onLeave = () => {
      steps.restart({ leaving: true });
      checkOut();
    };
    steps.showMessage(
      toResultMessage({ checkIn, timeZone, leaving, visiting }),
      canLeave ? onLeave : null,
    );
  }

  function checkInByCode(code: string, leaving = steps.leaving): Promise<void> {
    const scan = { locationId, code, leaving, scanId: v4() };
    const occurredAt = new Date().toISOString();
    const checkOut = () => void checkInByCode(code, true);
    return run(
      () => checkIn(scan, token),
      (result) => showResult(result, { leaving, visiting: false }, checkOut),
      () => steps.showMessage(toQueuedMessage(queue.enqueue({ ...scan, occurredAt }), leaving)),
    );
  }

  function checkInByHandle(
    { handle, label, hint }: MemberMatch,
    { visitor, leaving }: { visitor: string | null; leaving: boolean },
    checkOut: () => void,
  ): Promise<void> {
    const input = {
      ...{ locationId, handle, leaving, scanId: v4() },
      ...(visitor === null ? {} : { visitor: { name: visitor } }),
    };
    const send = () => checkIn(input, token);
    return run(
      () => send().catch((error) => retryOnce(error, send)),
      (result) => {
        if (result.unconfirmed && result.checkOutToken !== null)
          ownVisits.save({ label, hint, visitor, checkOutToken: result.checkOutToken });
        showResult(result, { leaving, visiting: visitor !== null }, checkOut);
      },
      () => setProblem(getText('kiosk.noConnection')),
    );
  }

  /** Checks out a guest whom this kiosk checked in. Without pairing, it cannot check out others by name. */
  function checkOutOwnVisit(match: MemberMatch, visitor: string | null): Promise<void> | undefined {
    const visit = ownVisits.find({ ...match, visitor });
    if (visit === undefined) {
      steps.showMessage(toCheckOutUnavailable());
      return undefined;
    }
    return run(
      () => sendCheckOut(visit.checkOutToken),
      (result) => {
        ownVisits.remove(visit);
        showResult(result, { leaving: true, visiting: visitor !== null }, () => {});
      },
      () => setProblem(getText('kiosk.noConnection')),
    );
  }

  return { checkInByCode, checkInByHandle, checkOutOwnVisit };
}

/** Retries once if the response may have been lost. */
function retryOnce<Result>(error: unknown, send: () => Promise<Result>): Promise<Result> {
  if (isTransient(error)) return send();
  throw error;
}

/** Looks up members for guests to choose from, or hosts for visitors. */
function useKioskLookup(
  { kiosk, token, steps, action: { run, setProblem } }: KioskContext,
  {
    checkInByHandle,
    checkOutOwnVisit,
  }: Pick<ReturnType<typeof useKioskCheckIn>, 'checkInByHandle' | 'checkOutOwnVisit'>,
) {
  const lookUp = (
    query: string,
    visitor: string | null,
    onMatches: (result: LookupResult) => void,
  ) =>
    run(
      () => lookUpMember(kiosk.locationId, query, token),
      (lookup) => {
        if (lookup.matches.length > 0) onMatches({ query, lookup, visitor });
        else
          setProblem((visitor === null ? formatNoMemberFound : formatNoHostFound)(lookup, query));
      },
      () =>
        setProblem(getText(visitor === null ? 'kiosk.lookupOffline' : 'kiosk.hostLookupOffline')),
    );

  /** Skips the list of matches for a full email address, since it identifies one person. */
  const findMember = (query: string, visitor: string | null) =>
    lookUp(query, visitor, (result) => {
      const [match, other] = result.lookup.matches;
      if (match && !other && isEmailAddress(query)) void selectMatch(match, result);
      else steps.showMatches(result);
    });

  const selectMatch = (
    match: MemberMatch,
    result: LookupResult,
    leaving = steps.leaving,
  ): Promise<void> | undefined =>
    leaving && token === null
      ? checkOutOwnVisit(match, result.visitor)
      : checkInByHandle(
          match,
          { visitor: result.visitor, leaving },
          () => void checkOutMatch(match, result),
        );

  /** Looks the member up again, since a handle works once. If several people share the label, the guest chooses again. */
  const checkOutMatch = ({ label, hint }: MemberMatch, { query, visitor }: LookupResult) =>
    lookUp(query, visitor, (result) => {
      const [match, other] = result.lookup.matches.filter(
        (candidate) => candidate.label === label && candidate.hint === hint,
      );
      if (match && !other) void selectMatch(match, result, true);
      else steps.showMatches(result);
    });

  return { findMember, selectMatch };
}
