import { can, type Viewer } from '../../auth/viewer.ts';
import type { CheckIn, CheckInResult, CheckInSubject } from './check-in.ts';
import { maskedName } from './masking.ts';

/** What came of an attempt, before it is decided how much of it the caller may know. */
export interface Outcome {
  result: CheckInResult;
  subject: CheckInSubject | null;
  label: string | null;
  title: string | null;
  /** The visit that was begun or ended, or that stands in the way. */
  visit: { id: string; occurredAt: Date; checkedOutAt: Date | null } | null;
  /** Whether the caller may end, or has ended, that visit. */
  isTheirs: boolean;
  /** Ends the visit that was begun. */
  checkOutToken?: string | null;
}

/** Staff and programs see whom they have before them; everybody else is told "Ada L.". */
const seesNames = (viewer: Viewer) =>
  can(viewer, 'check-ins:read') || can(viewer, 'check-ins:write');

export const answerFor = (
  viewer: Viewer,
  { result, subject, label, title, visit, isTheirs, checkOutToken }: Outcome,
): CheckIn => ({
  id: isTheirs && visit ? visit.id : null,
  result,
  label: label === null || seesNames(viewer) ? label : maskedName(label),
  checkOutToken: checkOutToken ?? null,
  checkedInAt: visit?.occurredAt ?? null,
  checkedOutAt: visit?.checkedOutAt ?? null,
  subject: subject && { type: subject, title },
});
