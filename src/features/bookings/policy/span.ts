/** A half-open stretch of time, in milliseconds since 1970. */
export interface Span {
  start: number;
  end: number;
}

export const MINUTE = 60_000;

export const overlap = (one: Span, other: Span) => one.start < other.end && other.start < one.end;

export const contains = (outer: Span, inner: Span) =>
  outer.start <= inner.start && inner.end <= outer.end;

export const minutesOf = ({ start, end }: Span) => (end - start) / MINUTE;

/** What both have in common, or null. */
export function intersection(one: Span, other: Span): Span | null {
  const start = Math.max(one.start, other.start);
  const end = Math.min(one.end, other.end);
  return start < end ? { start, end } : null;
}

/** Sorted, and those that touch made one. */
export function merged(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

/** What is left of `spans` without `holes`; both in any order. */
export function without(spans: Span[], holes: Span[]): Span[] {
  const taken = merged(holes);
  return merged(spans).flatMap(({ start, end }) => {
    const left: Span[] = [];
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
