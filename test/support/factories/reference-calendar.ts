import ICAL from 'ical.js';

const FROM = Date.parse('2025-03-01T12:00:00Z');
const TO = Date.parse('2027-03-01T12:00:00Z');
const MARGIN_MS = 10 * 86_400_000;

/**
 * Reads the spans of one entry, and of the changes of its occurrences, with ical.js alone. Floating times are in `home`. It lists an
 * occurrence once that the rule and RDATE have, which ical.js does not.
 */
export function readWithIcalJs(text: string, home: ICAL.Timezone): string[] {
  const toTime = (time: ICAL.Time) => {
    const local = time.clone();
    local.isDate = false;
    if (local.zone === ICAL.Timezone.localTimezone) local.zone = home;
    return local.toUnixTime() * 1000;
  };
  const events = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component));
  const series = events.find((event) => !event.isRecurrenceException());
  if (!series) return [];
  for (const event of events) if (event !== series) series.relateException(event);
  const found: string[] = [];
  for (const { start, end, item } of listOccurrences(
    series,
    (time) => toTime(time) > TO + MARGIN_MS,
  )) {
    const [from, until] = [toTime(start), toTime(end)];
    const isCancelled = item.component.getFirstPropertyValue('status') === 'CANCELLED';
    if (!isCancelled && from >= FROM && from <= TO) found.push(formatSpan(from, until));
  }
  return found.toSorted();
}

interface ReferenceOccurrence {
  start: ICAL.Time;
  end: ICAL.Time;
  item: ICAL.Event;
}

function* listOccurrences(
  series: ICAL.Event,
  isBeyond: (time: ICAL.Time) => boolean,
): Generator<ReferenceOccurrence> {
  const { startDate, endDate } = series;
  if (!series.isRecurring()) {
    yield { start: startDate, end: endDate, item: series };
    return;
  }
  const iterator = series.iterator();
  let last = '';
  for (;;) {
    const next = iterator.next() as ICAL.Time | ICAL.Period | null;
    const start = next instanceof ICAL.Period ? next.start : next;
    if (!next || !start || isBeyond(start)) return;
    if (String(start) === last) continue;
    last = String(start);
    if (next instanceof ICAL.Period) {
      yield { start, end: next.getEnd(), item: series };
    } else {
      const occurrence = series.getOccurrenceDetails(next);
      yield { start: occurrence.startDate, end: occurrence.endDate, item: occurrence.item };
    }
  }
}

export const formatSpan = (...times: [start: number, end: number]) =>
  times.map((at) => new Date(at).toISOString().slice(0, 19)).join(' ');
