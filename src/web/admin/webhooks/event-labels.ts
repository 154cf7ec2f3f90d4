import { capitalize } from '../../components/text.ts';
import { listNounOptions } from '../audit-log/change-labels.ts';
import type { WebhookEvent } from './queries.ts';

/** Matches every event, including ones added later. */
export const ALL_EVENTS = '*';

export interface NounEvents {
  noun: string;
  /** The pattern that matches all events of a noun. */
  all: string;
  events: WebhookEvent[];
}

const toEventNoun = (name: string) => name.slice(0, name.indexOf('.'));

const toNounPattern = (name: string) => `${toEventNoun(name)}.*`;

/** Keeps the order of the events. */
export function groupEventsByNoun(events: readonly WebhookEvent[]): NounEvents[] {
  const nouns = new Map<string, WebhookEvent[]>();
  for (const event of events) {
    const noun = toEventNoun(event.name);
    nouns.set(noun, [...(nouns.get(noun) ?? []), event]);
  }
  return [...nouns].map(([noun, events]) => ({ noun, all: `${noun}.*`, events }));
}

/** "member" becomes "Members". */
export const formatEventNoun = (noun: string) =>
  listNounOptions(true).find(({ value }) => value === noun)?.label ?? `${capitalize(noun)}s`;

export const formatEventName = (name: string) =>
  name === ALL_EVENTS
    ? 'Everything'
    : name.endsWith('.*')
      ? `All ${formatEventNoun(toEventNoun(name)).toLowerCase()}`
      : name;

/** A pattern replaces the events that it matches. */
export function toggleEvent(selected: readonly string[], name: string): string[] {
  if (selected.includes(name)) return selected.filter((event) => event !== name);
  if (name === ALL_EVENTS) return [ALL_EVENTS];
  const others = name.endsWith('.*')
    ? selected.filter((event) => toNounPattern(event) !== name)
    : selected;
  return [...others, name];
}
