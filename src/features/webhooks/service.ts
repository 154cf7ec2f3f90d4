export {
  type Delivery,
  type DeliveryAttempt,
  findDeliveryAttempts,
  getDelivery,
  listDeliveries,
  replayDelivery,
  sendTestMessage,
} from './deliveries.ts';
export { drainOutbox } from './drain-outbox.ts';
export {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
} from './endpoints.ts';
