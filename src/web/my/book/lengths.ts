import type { ResourceDetails } from '../../features/spaces/resource-queries.ts';

const USUAL = [15, 30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 480, 600, 720, 1440];

type Rules = Pick<ResourceDetails, 'minMinutes' | 'maxMinutes' | 'gridMinutes'>;

const takes = ({ minMinutes, maxMinutes, gridMinutes }: Rules, minutes: number) =>
  minutes >= minMinutes && minutes <= maxMinutes && minutes % gridMinutes === 0;

/** The usual lengths that at least one of them takes, and the shortest and the longest of each. */
export function lengthsFor(resources: Rules[]): number[] {
  const extremes = resources.flatMap(({ minMinutes, maxMinutes }) => [minMinutes, maxMinutes]);
  const lengths = [...new Set([...USUAL, ...extremes])];
  return lengths
    .filter((minutes) => resources.some((one) => takes(one, minutes)))
    .toSorted((a, b) => a - b);
}

/** What was asked for, if it can be had; else an hour, or what comes next to it. */
export const lengthOf = (wished: number | null, lengths: number[]): number =>
  [wished, 60].find((minutes) => minutes !== null && lengths.includes(minutes)) ??
  lengths.find((minutes) => minutes >= 60) ??
  lengths.at(-1) ??
  60;
