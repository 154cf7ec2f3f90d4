import { EXPLANATIONS, type Explanation } from './explanations.ts';
import type { Measurement } from './measure.ts';

const MAX_MS = 30;
const MAX_RATIO = 3;
/** Below this, a ratio shows noise only. */
const MIN_MS_OF_RATIO = 10;

/** `failed`: a statement was rejected. `slow`: slower than its limits. `explained`: the same, but within those of its explanation. */
export type Outcome = 'fast' | 'explained' | 'slow' | 'failed';

/** What an operation took in the space with the long history, and in the one with the short history. */
export interface Compared {
  name: string;
  long: Pick<Measurement, 'ms' | 'error'>;
  short: Pick<Measurement, 'ms' | 'error'> | undefined;
}

export const isSlow = ({ ms }: Pick<Measurement, 'ms'>): boolean => ms > MAX_MS;

/** Compares an operation with its limits. Nothing explains an error, or more time than its explanation states. */
export function judge(
  { name, long, short }: Compared,
  explanations: readonly Explanation[] = EXPLANATIONS,
): Outcome {
  if (long.error !== undefined || short?.error !== undefined) return 'failed';
  const ratio = short ? long.ms / short.ms : Number.NaN;
  if (!isSlow(long) && !(ratio > MAX_RATIO && long.ms > MIN_MS_OF_RATIO)) return 'fast';
  return explanations.some(({ names, maxMs }) => names.test(name) && long.ms <= maxMs)
    ? 'explained'
    : 'slow';
}
