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

/** The overlap of two ranges, or null. */
export function intersectRanges(one: TimeRange, other: TimeRange): TimeRange | null {
  const start = Math.max(one.start, other.start);
  const end = Math.min(one.end, other.end);
  return start < end ? { start, end } : null;
}

/** Sorts ranges and merges those that touch. */
export function mergeRanges(spans: TimeRange[]): TimeRange[] {
  const result: TimeRange[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

/** `spans` without `holes`, each in any order. */
export function subtractRanges(spans: TimeRange[], holes: TimeRange[]): TimeRange[] {
  const taken = mergeRanges(holes);
  return mergeRanges(spans).flatMap(({ start, end }) => {
    const left: TimeRange[] = [];
    let at = start;
    for (const hole of taken) {
      if (hole.end <= at) continue;
      if (hole.start >= end) break;
      if (hole.start > at) left.push({ start: at, end: hole.start });
      at = hole.end;
    }
    if (at < end) left.push({ start: at, end });
    return left;
  });
}
