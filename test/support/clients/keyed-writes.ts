import { z } from 'zod';
import { createSecret } from '../../../src/auth/tokens.ts';
import { DomainError } from '../../../src/errors.ts';
import { defineRoute, emptyQuery, type Route } from '../../../src/rest/route.ts';
import type { TestApp } from '../harness/app.ts';
import type { Credential } from './api.ts';

/** A public route that runs this work and returns nothing. */
export const createKeyedRoute = (path: string, run: () => Promise<void>): Route =>
  defineRoute({
    method: 'POST',
    path,
    access: 'public',
    summary: 'A route of a test',
    query: emptyQuery,
    body: z.strictObject({ note: z.string().optional() }),
    data: z.object({}),
    handler: async () => {
      await run();
      return { data: {} };
    },
  });

/** Returns a new secret every time, as placing an order does. */
export const secretRoute = defineRoute({
  method: 'POST',
  path: '/secrets',
  access: 'public',
  summary: 'A route of a test',
  query: emptyQuery,
  body: z.strictObject({ note: z.string() }),
  data: z.object({ secret: z.string() }),
  rateLimit: async ({ address, rateLimits }) => rateLimits.staffPasswords.consume({ address }),
  handler: async (_, { body: { note } }) => {
    if (note === '')
      throw new DomainError('CONFLICT', `${createSecret('orderLink').plainText} no`, {
        reason: 'TAKEN',
        fields: ['note'],
      });
    return { data: { secret: createSecret('orderLink').plainText } };
  },
});

export const postWithKey = (
  app: TestApp,
  path: string,
  {
    body,
    key,
    as,
    headers,
  }: {
    body: object | string;
    key: string | undefined;
    as: Credential;
    headers: Record<string, string>;
  },
) =>
  app.rest(path, as, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
