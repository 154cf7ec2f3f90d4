import type { Scope } from '../../auth/scopes.ts';
import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  findEventScope,
  findSubscriptionScopes,
} from '../../integrations/webhooks/event-catalog.ts';

/** Returns the scopes that a webhook with these events needs. Events that no longer exist need all scopes. */
export const toRequiredScopes = (names: string[]): Scope[] =>
  names.flatMap((name) => findSubscriptionScopes(name) ?? ['*']);

/** Lists the scopes that are needed to read what a webhook sends: its events, and messages of these types that wait. */
export const listReadScopes = (events: string[], waitingTypes: string[] = []): Scope[] => [
  ...toRequiredScopes(events),
  ...waitingTypes.flatMap((type) => findEventScope(type) ?? []),
];

const FIND_WAITING_TYPES = prepareStatement(`
  SELECT d.endpoint_id AS id, array_agg(DISTINCT m.type) AS types
  FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
  WHERE d.endpoint_id = ANY ($1::uuid[]) AND d.next_attempt_at IS NOT NULL GROUP BY d.endpoint_id`);

/** Finds the types of the messages that wait, by the id of their webhook. */
export async function findWaitingTypes(
  { pipelinedSql }: Context,
  ids: string[],
): Promise<Map<string, string[]>> {
  const rows = await pipelinedSql<{ id: string; types: string[] }>(FIND_WAITING_TYPES, [ids]);
  return new Map(rows.map(({ id, types }) => [id, types]));
}
