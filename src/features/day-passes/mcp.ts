import { defineTool, toToolObject } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { dayPassOfferQuery } from './inputs.ts';
import { listOfferedDayPassTypes } from './service/day-pass-types.ts';

export const tools = [
  defineTool({
    name: 'list_day_pass_types',
    description: 'List day pass types, with prices and how many are left on a date.',
    access: 'day-passes:read',
    effect: 'read',
    input: toRestSchema(dayPassOfferQuery, { date: 'YYYY-MM-DD. Default: today' }),
    handler: async (ctx, filter) =>
      toToolObject({
        dayPassTypes: (await listOfferedDayPassTypes(ctx, filter)).map(
          ({ limits: _, ...type }) => type,
        ),
      }),
  }),
];
