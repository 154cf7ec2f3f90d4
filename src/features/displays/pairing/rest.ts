import { z } from 'zod';
import { toSecretGuess } from '../../../auth/rate-limits.ts';
import { noQuery, route } from '../../../rest/route.ts';
import { instant } from '../../../rest/shapes.ts';
import { instantOf } from '../../../values.ts';
import { pairingPollAfterSeconds } from '../pace.ts';
import { begin } from './service.ts';
import { poll } from './telling.ts';

export const routes = [
  route({
    method: 'POST',
    path: '/displays/pairings',
    access: 'public',
    summary: 'Begin pairing: show the code, which staff types in within ten minutes, and poll',
    query: noQuery,
    body: z.strictObject({}),
    status: 201,
    data: z.object({
      pairing_code: z.string().meta({ description: 'Eight consonants, to show on the screen' }),
      poll_token: z.string(),
      expires_at: instant,
      poll_after_seconds: z.int(),
    }),
    admit: ({ address, rateLimits }) => rateLimits.pairings.consume({ address }),
    answer: async (ctx) => {
      const { pairingCode, pollToken, expiresAt } = await begin(ctx);
      return {
        data: {
          pairing_code: pairingCode,
          poll_token: pollToken,
          expires_at: instantOf(expiresAt),
          poll_after_seconds: pairingPollAfterSeconds(Math.random()),
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/displays/pairings/{poll_token}',
    access: 'public',
    summary: 'Whether staff has typed the code in; then the device token, for a minute',
    query: noQuery,
    data: z.object({
      status: z
        .enum(['pending', 'claimed', 'expired'])
        .meta({ description: 'After expired the screen begins anew' }),
      device_token: z.string().optional().meta({ description: 'Only now: keep it' }),
      expires_at: instant,
    }),
    guess: ({ params: { poll_token = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'pairing', poll_token),
    answer: async (ctx, { params: { poll_token = '' } }) => {
      const { status, deviceToken, expiresAt } = await poll(ctx, poll_token);
      return {
        data: {
          status,
          ...(deviceToken === undefined ? {} : { device_token: deviceToken }),
          expires_at: instantOf(expiresAt),
        },
      };
    },
  }),
];
