import type { Scope } from '../../auth/scopes.ts';
import {
  CHANGE_TYPES,
  type ChangeType,
  describeChange,
  toSubjectName,
} from '../../journal/catalog.ts';
import { SUBJECTS } from '../../journal/subjects.ts';

/** A type of event that webhooks can subscribe to. */
export interface WebhookEvent {
  name: ChangeType;
  description: string;
  /** The scope that the owner of a webhook needs to receive it. */
  scope: Scope;
}

/** All changes of the journal. */
export const eventCatalog: readonly WebhookEvent[] = CHANGE_TYPES.map((type) => {
  const { noun } = SUBJECTS[toSubjectName(type)];
  return {
    name: type,
    description: describeChange(type),
    scope: noun === '*' ? '*' : `${noun}:read`,
  };
});

const SCOPES = new Map<string, Scope>(eventCatalog.map(({ name, scope }) => [name, scope]));

/** Sent to one webhook when staff request it. */
export const TEST_EVENT_TYPE = 'webhook.test';

const toNoun = (type: string) => type.slice(0, type.indexOf('.'));

/** Returns the names under which a webhook can subscribe to this type of event. */
export const toSubscriptionNames = (type: string): string[] => [type, `${toNoun(type)}.*`, '*'];

/** Finds the scopes that a subscription needs. Undefined if no event has this name. */
export function findSubscriptionScopes(name: string): Scope[] | undefined {
  if (name === '*') return ['*']; // also events of later versions
  const matches = eventCatalog.filter((event) => toSubscriptionNames(event.name).includes(name));
  return matches.length === 0 ? undefined : [...new Set(matches.map(({ scope }) => scope))];
}

/** Finds the scope needed to read a message: none for a test, which has no content, and `*` for events of other versions. */
export const findEventScope = (type: string): Scope | undefined =>
  type === TEST_EVENT_TYPE ? undefined : (SCOPES.get(type) ?? '*');
