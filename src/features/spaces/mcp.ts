import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import { locationFilter, resourceFilter } from './inputs.ts';
import { locationRow, resourceRow } from './rows.ts';
import { locationList } from './service/locations.ts';
import { listResources, type Resource } from './service/resources.ts';

const locationFields = showRestFields(locationRow, { except: ['createdAt'] });
const resourceFields = showRestFields(resourceRow, { except: ['createdAt'] });

export const tools = [
  defineTool({
    name: 'list_locations',
    description: 'List locations, with their time zones.',
    access: 'spaces:read',
    effect: 'read',
    input: toRestSchema(locationFilter.pick({ q: true }).extend(pageInput)),
    handler: async (ctx, { q, ...page }) =>
      toToolPage(
        'locations',
        await listRows(ctx, locationList, { q }, page),
        locationFields.serialize,
      ),
  }),
  defineTool({
    name: 'list_resources',
    description: 'List rooms, desks and equipment, with their prices and rules.',
    access: 'spaces:read',
    effect: 'read',
    input: toRestSchema(
      resourceFilter
        .pick({ q: true, locationId: true, type: true, active: true, minCapacity: true })
        .extend(pageInput),
      { q: 'Part of the name' },
    ),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'resources',
        await listResources(ctx, filter, { limit, cursor }),
        toResourceResult,
      ),
  }),
];

const toResourceResult = ({ location: { id, name, timeZone }, ...resource }: Resource) => ({
  ...resourceFields.serialize(resource),
  location: { id, name, time_zone: timeZone },
  price_per_hour: resource.pricePerHour,
});
