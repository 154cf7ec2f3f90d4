import { hasScope } from '../../auth/scopes.ts';
import { can, getScopes, type Viewer } from '../../auth/viewer.ts';
import {
  canOwnerRead,
  toOwnerRights,
  WITH_OWNER,
} from '../../integrations/webhooks/endpoint-owner.ts';
import type { RowActions } from '../../lists/row-actions.ts';
import { findWaitingTypes, listReadScopes } from './read-scopes.ts';
import { type Webhook, webhookList } from './service/endpoints.ts';

// The rules of the commands in `service/endpoints.ts` and `service/deliveries.ts`, which a test compares.

type WebhookAction =
  | 'update'
  | 'updateEvents'
  | 'rotateSecret'
  | 'enable'
  | 'disable'
  | 'delete'
  | 'sendTest';

export const webhookActions: RowActions<WebhookAction> = {
  async findByIds(ctx, ids) {
    const webhooks = await webhookList.findByIds(ctx, ids);
    // Without the scope, every action is false, whatever waits.
    const waiting = can(ctx.viewer, 'webhooks:write')
      ? await findWaitingTypes(ctx, ids)
      : new Map<string, string[]>();
    return webhooks.map((webhook) =>
      decideWebhookActions(ctx.viewer, webhook, waiting.get(webhook.id)),
    );
  },
};

function decideWebhookActions(
  viewer: Viewer,
  { id, disabledAt, events }: Webhook,
  waitingTypes: string[] | undefined,
) {
  const canWrite = can(viewer, 'webhooks:write');
  const canReadAll = canWrite && canRead(viewer, listReadScopes(events, waitingTypes));
  const isEnabled = disabledAt === null;
  return {
    id,
    update: canWrite,
    updateEvents: canReadAll,
    rotateSecret: canReadAll,
    enable: canReadAll && !isEnabled,
    disable: canWrite && isEnabled,
    delete: canWrite,
    sendTest: canWrite && isEnabled,
  };
}

const canRead = (viewer: Viewer, scopes: string[]) =>
  scopes.every((scope) => hasScope(getScopes(viewer), scope));

export const deliveryActions: RowActions<'replay'> = {
  async findByIds(ctx, ids) {
    const deliveries = await ctx.db.webhookDelivery.findMany({
      where: { id: { in: ids } },
      select: { id: true, message: { select: { type: true } }, endpoint: { include: WITH_OWNER } },
    });
    const endpointIds = [...new Set(deliveries.map(({ endpoint }) => endpoint.id))];
    const webhooks = await webhookList.findByIds(ctx, endpointIds);
    const enabled = new Set(webhooks.flatMap(({ id, disabledAt }) => (disabledAt ? [] : id)));
    return deliveries.map(({ id, message: { type }, endpoint }) => ({
      id,
      replay:
        can(ctx.viewer, 'webhooks:write') &&
        canRead(ctx.viewer, listReadScopes([], [type])) &&
        enabled.has(endpoint.id) &&
        canOwnerRead(toOwnerRights(endpoint), type),
    }));
  },
};
