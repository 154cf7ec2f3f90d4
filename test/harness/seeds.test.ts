import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkProperty, generateOne, takeSample } from '../support/harness/property-runs.ts';
import { FAILED_SEEDS, SEEDS } from '../support/harness/seeds.ts';

const root = new URL('../', import.meta.url).pathname;

it('no test draws a seed: all use checkProperty, generateOne or takeSample', () => {
  const drawing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'support/harness/property-runs.ts')
    .filter((name) => /\bfc\.(assert|check|sample|statistics)\(/.test(read(name)));
  expect(drawing).toEqual([]);
});

it('each seed that failed names an existing file', () => {
  const missing = FAILED_SEEDS.filter(({ file }) => !existsSync(join(root, '..', file)));
  expect(missing).toEqual([]);
});

/** Returns the values that a property gets. */
function check(numRuns: number, examples: number[] = []): number[] {
  const values: number[] = [];
  checkProperty(
    fc.property(fc.nat(), (value) => {
      values.push(value);
    }),
    { numRuns, examples: examples.map((example): [number] => [example]) },
  );
  return values;
}

it('a property gets the same values in every check, as many as it has runs, and all of its examples', () => {
  for (const examples of [[], [-1], [-1, -2, -3, -4, -5]])
    for (const numRuns of [1, 2, 7]) {
      const values = check(numRuns, examples);
      expect(check(numRuns, examples)).toEqual(values);
      expect(values).toHaveLength(Math.max(numRuns, examples.length));
      expect(values.slice(0, examples.length)).toEqual(examples);
    }
  const letters = [...'abcdefghij'];
  expect(generateOne(fc.string())).toBe(generateOne(fc.string()));
  expect(takeSample(letters, 3)).toEqual(takeSample(letters, 3));
});

const isNightly = process.env.PROPERTY_SEED !== undefined;
if (!isNightly)
  it('a property repeats the run that failed, also a late one', () => {
    const [seed = 0] = SEEDS;
    const run = 40;
    const values = check((run + 1) * SEEDS.length); // the seeds share the runs, and the first seed begins
    const file = 'test/harness/seeds.test.ts';
    FAILED_SEEDS.push({ file, seed, path: String(run), found: 'nothing' });
    expect(check(2, [-1, -2])).toEqual([-1, -2, values[run - 2]]); // examples are its first runs
    FAILED_SEEDS.pop();
  });

const read = (name: string) => readFileSync(join(root, name), 'utf8');
