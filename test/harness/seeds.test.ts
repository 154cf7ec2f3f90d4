import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkProperty, generateOne, takeSample } from '../support/harness/property-runs.ts';
import { FAILED_SEEDS } from '../support/harness/seeds.ts';

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

it('a property gets the same values in every check, as many as it has runs', () => {
  const check = (numRuns: number) => {
    const values: number[] = [];
    const examples: [number][] = [[-1]];
    checkProperty(
      fc.property(fc.nat(), (value) => {
        values.push(value);
      }),
      { numRuns, examples },
    );
    return values;
  };
  for (const numRuns of [1, 2, 7]) {
    expect(check(numRuns)).toEqual(check(numRuns));
    expect(check(numRuns)).toHaveLength(numRuns);
    expect(check(numRuns)[0]).toBe(-1);
  }
  const letters = [...'abcdefghij'];
  expect(generateOne(fc.string())).toBe(generateOne(fc.string()));
  expect(takeSample(letters, 3)).toEqual(takeSample(letters, 3));
});

const read = (name: string) => readFileSync(join(root, name), 'utf8');
