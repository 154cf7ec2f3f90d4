import { MINUTE_MS } from './time-zone.ts';

/** A half-open time range, in milliseconds since 1970. */
export interface TimeRange {
  start: number;
  end: number;
}

export const hasOverlap = (one: TimeRange, other: TimeRange) =>
  one.start < other.end && other.start < one.end;

export const containsRange = (outer: TimeRange, inner: TimeRange) =>
  outer.start <= inner.start && inner.end <= outer.end;

export const getDurationMinutes = ({ start, end }: TimeRange) => (end - start) / MINUTE_MS;

/** Returns the overlap of two ranges, or null. */
export function intersectRanges(one: TimeRange, other: TimeRange): TimeRange | null {
  const start = Math.max(one.start, other.start);
  const end = Math.min(one.end, other.end);
  return start < end ? { start, end } : null;
}

/** Sorts ranges and merges those that touch. */
export function mergeRanges(ranges: TimeRange[]): TimeRange[] {
  const result: TimeRange[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

/** Removes `holes` from `ranges`. Both can be in any order; the result is sorted. */
export function subtractRanges(ranges: TimeRange[], holes: TimeRange[]): TimeRange[] {
  const sortedHoles = mergeRanges(holes);
  return mergeRanges(ranges).flatMap(({ start, end }) => {
    const remaining: TimeRange[] = [];
    let position = start;
    for (const hole of sortedHoles) {
      if (hole.end <= position) continue;
      if (hole.start >= end) break;
      if (hole.start > position) remaining.push({ start: position, end: hole.start });
      position = hole.end;
    }
    if (position < end) remaining.push({ start: position, end });
    return remaining;
  });
}
