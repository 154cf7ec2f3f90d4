import { z } from 'zod';
import { defineRoute, emptyQuery, type Route } from '../../src/rest/route.ts';
import type { RestAnswer } from './app.ts';

/** That the answer is the envelope of a failure, and nothing but that. */
export function expectFailure(
  { status, headers, body }: RestAnswer,
  expected: number,
  message?: string,
) {
  expect([status, body]).toEqual([
    expected,
    { success: false, data: message ?? expect.stringMatching(/./) },
  ]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** A public route of the test's own, for what no real one does. */
export const routeOf = (path: string, work: () => Promise<void>): Route =>
  defineRoute({
    method: 'GET',
    path,
    access: 'public',
    summary: 'A route of a test',
    query: emptyQuery,
    data: z.object({}),
    handler: async () => {
      await work();
      return { data: {} };
    },
  });
