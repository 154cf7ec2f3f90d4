import { parseArgs } from 'node:util';

/** How many, how long: what a script takes by itself, and what it takes with `--check`. */
type Sizes = Record<string, [usual: number, check: number]>;

type Read<Numbers extends Sizes, Text extends string> = Record<keyof Numbers, number> &
  Partial<Record<Text, string>> & {
    /** The least of everything that the script does. What it measures is not compared with any limit. */
    isCheck: boolean;
  };

/**
 * Reads the sizes and other options of a script that runs for long, such as `--minutes 5`. All scripts have `--check`, so that a test
 * of all of them takes minutes.
 */
export function readSizes<Numbers extends Sizes, Text extends string = never>(
  sizes: Numbers,
  ...texts: Text[]
): Read<Numbers, Text> {
  const names = [...Object.keys(sizes), ...texts].map(
    (name) => [name, { type: 'string' }] as const,
  );
  const { values }: { values: Record<string, unknown> } = parseArgs({
    options: { ...Object.fromEntries(names), check: { type: 'boolean', default: false } },
  });
  const isCheck = values.check === true;
  const numbers = Object.entries(sizes).map(([name, [usual, check]]) => {
    const number = Number(values[name] ?? (isCheck ? check : usual));
    if (!Number.isFinite(number)) throw new Error(`Use --${name} with a number.`);
    return [name, number];
  });
  return { ...values, ...Object.fromEntries(numbers), isCheck } as Read<Numbers, Text>;
}
