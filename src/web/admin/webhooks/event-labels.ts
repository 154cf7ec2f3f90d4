import type { WebhookEvent } from './queries.ts';

/** Every event, also those that are yet to be thought of. */
export const ALL_EVENTS = '*';

export interface NounEvents {
  noun: string;
  /** What stands for all of them. */
  all: string;
  events: WebhookEvent[];
}

const toEventNoun = (name: string) => name.slice(0, name.indexOf('.'));

export const toNounPattern = (name: string) => `${toEventNoun(name)}.*`;

/** Noun by noun, in the order given. */
export function groupEventsByNoun(events: readonly WebhookEvent[]): NounEvents[] {
  const nouns = new Map<string, WebhookEvent[]>();
  for (const event of events) {
    const noun = toEventNoun(event.name);
    nouns.set(noun, [...(nouns.get(noun) ?? []), event]);
  }
  return [...nouns].map(([noun, events]) => ({ noun, all: `${noun}.*`, events }));
}

const NOUN_TITLES: Record<string, string> = { check_in: 'Check-ins', day_pass: 'Day passes' };

/** "member": Members */
export const formatEventNoun = (noun: string) =>
  NOUN_TITLES[noun] ?? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;

export const formatEventName = (name: string) =>
  name === ALL_EVENTS
    ? 'Everything'
    : name.endsWith('.*')
      ? `All of ${formatEventNoun(toEventNoun(name)).toLowerCase()}`
      : name;

/** Choosing all takes the place of choosing one by one. */
export function toggleEvent(chosen: readonly string[], name: string): string[] {
  if (chosen.includes(name)) return chosen.filter((one) => one !== name);
  if (name === ALL_EVENTS) return [ALL_EVENTS];
  const others = name.endsWith('.*') ? chosen.filter((one) => toNounPattern(one) !== name) : chosen;
  return [...others, name];
}
