import fc from 'fast-check';
import { FAILED_SEEDS, SEEDS } from './seeds.ts';

/** The seed of `npm run test:nightly`, which also repeats one of its runs. Without it, the seeds in `seeds.ts` are used. */
const nightlySeed = process.env.PROPERTY_SEED;

/**
 * The number of runs of a property: few in `npm test`, which runs after every change, and PROPERTY_RUNS in
 * `npm run test:nightly`.
 */
export const propertyRuns = (few: number): number => Number(process.env.PROPERTY_RUNS ?? few);

/**
 * Checks a property like `fc.assert`, with the seeds of the gate instead of one that is drawn. They share the runs. All examples run, also
 * if there are more of them than runs. Of the seeds that failed before, the run that failed is repeated.
 */
export function checkProperty<Ts>(
  property: fc.IAsyncProperty<Ts>,
  parameters?: fc.Parameters<Ts>,
): Promise<void>;
export function checkProperty<Ts>(property: fc.IProperty<Ts>, parameters?: fc.Parameters<Ts>): void;
export function checkProperty<Ts>(
  property: fc.IAsyncProperty<Ts> | fc.IProperty<Ts>,
  parameters: fc.Parameters<Ts> = {},
): Promise<void> | void {
  const checks = planChecks(parameters);
  if (property.isAsync()) return checkInTurn(property as fc.IAsyncProperty<Ts>, checks);
  for (const check of checks) fc.assert(property as fc.IProperty<Ts>, check);
}

async function checkInTurn<Ts>(property: fc.IAsyncProperty<Ts>, checks: fc.Parameters<Ts>[]) {
  for (const check of checks) await fc.assert(property, check);
}

const DEFAULT_RUNS = 100;

function planChecks<Ts>(parameters: fc.Parameters<Ts>): fc.Parameters<Ts>[] {
  const { numRuns: givenRuns = DEFAULT_RUNS, examples = [], ...others } = parameters;
  // fast-check counts examples as runs.
  const numRuns = Math.max(givenRuns, examples.length);
  if (nightlySeed !== undefined)
    return [{ ...others, examples, numRuns, seed: Number(nightlySeed) }];
  const drawn = numRuns - examples.length;
  const shared = SEEDS.map((seed, n) => {
    const share = Math.floor((drawn + SEEDS.length - 1 - n) / SEEDS.length);
    return n === 0
      ? { ...others, seed, examples, numRuns: examples.length + share }
      : { ...others, seed, numRuns: share };
  });
  const failed = FAILED_SEEDS.filter(({ file }) => expect.getState().testPath?.endsWith(file));
  return [
    ...shared.filter(({ numRuns: runs }) => runs > 0),
    ...failed.map(({ seed, path }) => ({ ...others, examples, seed, path, numRuns: 1 })),
  ];
}

const sampleSeed = () => Number(nightlySeed ?? SEEDS[0]);

/** Generates a value, the same one in every run of `npm test`. */
export function generateOne<Value>(arbitrary: fc.Arbitrary<Value>): Value {
  const [value] = fc.sample(arbitrary, { numRuns: 1, seed: sampleSeed() });
  return value as Value;
}

/** A few of the items, in any order; `npm run test:nightly` takes all of them. */
export function takeSample<Item>(items: readonly Item[], few: number): Item[] {
  if (process.env.PROPERTY_RUNS !== undefined) return [...items];
  const length = Math.min(few, items.length);
  return generateOne(fc.shuffledSubarray([...items], { minLength: length, maxLength: length }));
}
