import { z } from 'zod';
import { formatClockTime } from '../../core/time/format.ts';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { anyId } from '../../core/validation.ts';
import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { locationFilter, resourceFilter } from './inputs.ts';
import { toResourceJson } from './rest-object.ts';
import { locationRow } from './rows.ts';
import { getLocation, locationList } from './service/locations.ts';
import { findClosuresByLocation, findOpeningHoursByLocation } from './service/opening-hours.ts';
import { listResources } from './service/resources.ts';

const locationFields = showRestFields(locationRow, { except: ['createdAt'] });

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
    name: 'get_location',
    description:
      'Get a location with its opening hours (1 is Monday; none: always open) and closures.',
    access: 'spaces:read',
    effect: 'read',
    input: toRestSchema(z.object({ id: anyId })),
    handler: async (ctx, { id }) => {
      const location = await getLocation(ctx, id);
      const [hours, closures] = await Promise.all([
        findOpeningHoursByLocation(ctx, [location.id]),
        findClosuresByLocation(ctx, [location.id], toLocalDate(ctx.now(), location.timeZone)),
      ]);
      return {
        location: locationFields.serialize(location),
        opening_hours: hours.get(location.id)?.map(({ weekday, opensMinute, closesMinute }) => ({
          weekday,
          opens: formatClockTime(opensMinute),
          closes: formatClockTime(closesMinute),
        })),
        closures: closures.get(location.id)?.map(({ id, startsOn, endsOn, reason }) => ({
          id,
          starts_on: startsOn,
          ends_on: endsOn,
          reason,
        })),
      };
    },
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
      toToolPage('resources', await listResources(ctx, filter, { limit, cursor }), toResourceJson),
  }),
];
