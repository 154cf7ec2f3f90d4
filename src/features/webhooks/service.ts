// The functions of webhooks that jobs and the data loaders use. The API of webhooks imports its files directly.
export { findDeliveryAttempts } from './deliveries.ts';
export { webhookReader } from './publish-changes.ts';
