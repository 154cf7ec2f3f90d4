import { z } from 'zod';
import { noQuery, route } from '../../../rest/route.ts';
import { askingAt, limitLookups } from '../asking.ts';
import * as fields from './fields.ts';
import { lookUp } from './service.ts';

export const routes = [
  route({
    method: 'POST',
    path: '/public/member-lookup',
    access: 'public',
    knowsDevices: true,
    summary:
      'Members by the beginnings of their names, by the whole e-mail address, or by their code, for somebody at a kiosk',
    query: noQuery,
    body: z.strictObject({ location_id: fields.locationId, query: fields.query }),
    data: z.object({
      matches: z.array(
        z.object({
          handle: z.string().meta({ description: 'Good for one check-in within two minutes' }),
          label: z.string().meta({ description: 'As in "Ada L."' }),
          hint: z.string().meta({ description: 'The e-mail address, masked' }),
        }),
      ),
      too_many: z
        .boolean()
        .meta({ description: 'More than five match, so none is told: type more' }),
      names_off: z.boolean().meta({
        description: 'Nobody is found by name here: type the whole e-mail address or the code',
      }),
    }),
    admit: ({ body, rateLimits, viewer, address }) =>
      limitLookups(rateLimits, askingAt(viewer, address, body.location_id)),
    answer: async (ctx, { body, address }) => {
      const { matches, tooMany, namesOff } = await lookUp(ctx, {
        locationId: body.location_id,
        query: body.query,
        address,
      });
      return { data: { matches, too_many: tooMany, names_off: namesOff } };
    },
  }),
];
