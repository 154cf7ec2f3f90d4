import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { displayFilter } from './inputs.ts';
import { displayRow } from './rows.ts';
import type { Display } from './service/display.ts';
import { displayList } from './service/list-displays.ts';

const fields = showRestFields(displayRow, { except: ['tokenPrefix'] });

export const tools = [
  defineTool({
    name: 'list_displays',
    description: 'List screens, and whether they are online.',
    access: 'displays:read',
    effect: 'read',
    input: toRestSchema(displayFilter.pick({ locationId: true, revoked: true }).extend(pageInput)),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'displays',
        await listRows(ctx, displayList, filter, { limit, cursor }),
        toDisplayResult,
      ),
  }),
];

const toDisplayResult = (display: Display) => ({
  ...fields.serialize(display),
  location: display.location,
  resource: display.resource,
});
