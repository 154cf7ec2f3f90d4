import type { Mail } from '../../../src/db/generated/client.ts';
import {
  type EmailTransport,
  MAX_CONCURRENT_DELIVERIES,
} from '../../../src/integrations/email/smtp.ts';
import { createDeferred } from '../deferred.ts';

/**
 * A transport that accepts nothing until as many emails have arrived as are sent at a time, so it needs that many. Emails that are
 * sent at the same time can overtake each other, so a test can only tell which ones are among the first.
 */
export function createFullTransport(send: EmailTransport['send'] = async () => {}) {
  const arrived: Mail[] = [];
  const isFull = createDeferred<void>();
  const transport: EmailTransport = {
    send: async (mail, attachments) => {
      if (arrived.push(mail) === MAX_CONCURRENT_DELIVERIES) isFull.resolve();
      await isFull.promise;
      return send(mail, attachments);
    },
    close: () => {},
  };
  return { transport, arrived, listFirst: () => arrived.slice(0, MAX_CONCURRENT_DELIVERIES) };
}
