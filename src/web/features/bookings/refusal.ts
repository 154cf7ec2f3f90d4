import { asApiError } from '../../api/errors.ts';

interface Refusal {
  conflicts: { reasons: { overridable: boolean }[] }[];
}

/** Whether staff may set aside all that speaks against moving a series. */
export function isOverridable(error: Error | null): boolean {
  if (error === null) return false;
  const { conflicts = [] } = asApiError(error).details as Partial<Refusal>;
  const reasons = conflicts.flatMap(({ reasons }) => reasons);
  return reasons.length > 0 && reasons.every(({ overridable }) => overridable);
}
