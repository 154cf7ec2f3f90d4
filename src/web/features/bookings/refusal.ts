import { asApiError } from '../../api/errors.ts';

interface Refusal {
  reasons: { reason: string; message: string; overridable: boolean }[];
  alternatives: { startsAt: string; endsAt: string }[];
}

/** What a refused booking says of itself, and whether staff may set all of it aside. */
export function objectionsIn(error: Error | null): Refusal & { override: boolean } {
  const { reasons = [], alternatives = [] }: Partial<Refusal> = error
    ? (asApiError(error).details as Partial<Refusal>)
    : {};
  const override = reasons.length > 0 && reasons.every(({ overridable }) => overridable);
  return { reasons, alternatives, override };
}
