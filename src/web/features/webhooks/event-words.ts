import type { WebhookEvent } from './queries.ts';

/** Every event, also those that are yet to be thought of. */
export const ALL_EVENTS = '*';

export interface NounEvents {
  noun: string;
  /** What stands for all of them. */
  all: string;
  events: WebhookEvent[];
}

const nounOf = (name: string) => name.slice(0, name.indexOf('.'));

export const allOf = (name: string) => `${nounOf(name)}.*`;

/** Noun by noun, in the order given. */
export function byNoun(events: readonly WebhookEvent[]): NounEvents[] {
  const nouns = new Map<string, WebhookEvent[]>();
  for (const event of events) {
    const noun = nounOf(event.name);
    nouns.set(noun, [...(nouns.get(noun) ?? []), event]);
  }
  return [...nouns].map(([noun, events]) => ({ noun, all: `${noun}.*`, events }));
}

const TITLES: Record<string, string> = { check_in: 'Check-ins', day_pass: 'Day passes' };

/** "member": Members */
export const nounTitle = (noun: string) =>
  TITLES[noun] ?? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;

export const eventTitle = (name: string) =>
  name === ALL_EVENTS
    ? 'Everything'
    : name.endsWith('.*')
      ? `All of ${nounTitle(nounOf(name)).toLowerCase()}`
      : name;

/** Choosing all takes the place of choosing one by one. */
export function toggled(chosen: readonly string[], name: string): string[] {
  if (chosen.includes(name)) return chosen.filter((one) => one !== name);
  if (name === ALL_EVENTS) return [ALL_EVENTS];
  const others = name.endsWith('.*') ? chosen.filter((one) => allOf(one) !== name) : chosen;
  return [...others, name];
}
