import fc from 'fast-check';

/**
 * PROPERTY_SEED repeats a run: the gate derives it from the commit, so that its result does not depend on chance. Without it,
 * every run has another seed, so that coverage grows over time.
 */
if (process.env.PROPERTY_SEED !== undefined)
  fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) });

/**
 * The number of runs of a property: few in `npm test`, which runs after every change, and PROPERTY_RUNS in
 * `npm run test:nightly`.
 */
export const propertyRuns = (few: number): number => Number(process.env.PROPERTY_RUNS ?? few);

/** A few of the items, in any order; `npm run test:nightly` takes all of them. */
export function takeSample<Item>(items: readonly Item[], few: number): Item[] {
  if (process.env.PROPERTY_RUNS !== undefined) return [...items];
  const length = Math.min(few, items.length);
  const samples = fc.shuffledSubarray([...items], { minLength: length, maxLength: length });
  return fc.sample(samples, 1)[0] ?? [];
}
