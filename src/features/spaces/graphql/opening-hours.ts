import { formatClockTime, type OpeningTime } from '../../../core/time/format.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import type { RowExtension } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node, type NodeExtension } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { closureIdInput, createClosureInput } from '../inputs.ts';
import { closureRow } from '../rows.ts';
import {
  type Closure as ClosureValue,
  closureRows,
  createClosure,
  deleteClosure,
  type OpeningHours as OpeningHoursValue,
  setOpeningHours,
  toClosureProjection,
  toOpeningHoursProjection,
} from '../service/opening-hours.ts';
import { openingHoursInput, setOpeningHoursInput } from '../types.ts';
import { Location } from './locations.ts';

const Weekday = builder.enumType('Weekday', {
  description: 'A day of the week',
  values: {
    MONDAY: { value: 1, description: 'The first day of the week' },
    TUESDAY: { value: 2, description: 'The second day of the week' },
    WEDNESDAY: { value: 3, description: 'The third day of the week' },
    THURSDAY: { value: 4, description: 'The fourth day of the week' },
    FRIDAY: { value: 5, description: 'The fifth day of the week' },
    SATURDAY: { value: 6, description: 'The sixth day of the week' },
    SUNDAY: { value: 7, description: 'The last day of the week' },
  } as const,
});

type Weekday = typeof Weekday.$inferType;

const OpeningHours = builder.objectRef<OpeningHoursValue>('OpeningHours').implement({
  description: 'One opening period on a weekday, in the time zone of the location',
  extensions: { projection: toOpeningHoursProjection },
  fields: (t) => ({
    weekday: t.field({
      type: Weekday,
      description: 'The day of the week',
      extensions: { reads: 'weekday' },
      resolve: ({ weekday }) => weekday as Weekday,
    }),
    opens: t.string({
      description: 'HH:MM',
      extensions: { reads: 'opens' },
      resolve: ({ opensMinute }) => formatClockTime(opensMinute),
    }),
    closes: t.string({
      description: 'HH:MM. 24:00 is the end of the day.',
      extensions: { reads: 'closes' },
      resolve: ({ closesMinute }) => formatClockTime(closesMinute),
    }),
  }),
});

export const OpeningTimeType = builder.objectRef<OpeningTime>('OpeningTime').implement({
  description: 'One period in which a location is open on a day, in its time zone',
  fields: (t) => ({
    opens: t.exposeString('opens', { description: 'HH:MM' }),
    closes: t.exposeString('closes', { description: 'HH:MM. 24:00 is the end of the day.' }),
  }),
});

/** The options of the fields that show opening times. */
export const OPENING_TIMES_FIELD = {
  type: [OpeningTimeType] as [typeof OpeningTimeType],
  nullable: true as const,
  description:
    'When the location is open on this date. Empty if it is closed, null if it is always open.',
};

builder.objectField(Location, 'openingHours', (t) =>
  t.field({
    type: [OpeningHours],
    description: 'Opening hours, sorted by weekday. A location without any is always open.',
    authScopes: { access: 'public' },
    extensions: {
      row: {
        table: 'opening_hours',
        where: (row, _, { parent }) => [`${row}.location_id = ${parent('id')}`],
        toOrder: (row) => `${row}.weekday, ${row}.opens_minute`,
      } satisfies RowExtension,
    },
    resolve: ({ id }, _, { loaders }) => loaders.openingHours.load(id),
  }),
);

createInputType('OpeningHoursInput', openingHoursInput);

addMutation('setOpeningHours', {
  description:
    'Replaces the opening hours of the whole week. A location without any is always open.',
  access: 'spaces:write',
  input: setOpeningHoursInput,
  takesVersion: true,
  payload: { location: { type: Location, description: 'The location with the new opening hours' } },
  resolve: async ({ locationId, hours }, { ctx }) => ({
    location: await setOpeningHours(ctx, locationId, hours),
  }),
});

const WRITE = { access: 'spaces:write' } as const;

export const Closure = builder.objectRef<ClosureValue>('Closure');
Closure.implement({
  description: 'A period of days on which a location is closed, including the last day',
  interfaces: [Node],
  extensions: {
    projection: toClosureProjection,
    node: { rows: closureRows, access: 'spaces:read' } satisfies NodeExtension,
  },
  fields: (t) => ({
    ...showFields(t, closureRow),
    location: t.expose('location', { type: Location, description: 'The location that is closed' }),
    bookingsAffected: t.int({
      description:
        'How many pending and confirmed bookings overlap it. A closure does not cancel bookings.',
      authScopes: WRITE,
      resolve: (closure, _, { loaders }) => loaders.bookingCountByClosure.load(closure),
    }),
  }),
});

builder.objectField(Location, 'closures', (t) =>
  t.field({
    type: [Closure],
    description: 'Closures, sorted by start',
    authScopes: { access: 'spaces:read' },
    args: {
      from: t.arg({ type: 'Date', description: 'Only closures that end on or after this day' }),
    },
    extensions: {
      row: {
        table: 'closures',
        where: (row, { from }, { parent, bind }) => [
          `${row}.location_id = ${parent('id')}`,
          ...(from == null ? [] : [`${row}.ends_on >= ${bind(from, 'date')}`]),
        ],
        toOrder: (row) => `${row}.starts_on, ${row}.id`,
      } satisfies RowExtension,
    },
    resolve: ({ id }, { from }, { loaders }) => loaders.closures.load(id, from ?? null),
  }),
);

addMutation('createClosure', {
  description:
    'Closes a location for a period of days. Existing bookings are kept; announceClosure emails their holders or cancels them.',
  access: 'spaces:write',
  input: createClosureInput,
  payload: { closure: { type: Closure, description: 'The new closure' } },
  resolve: async (input, { ctx }) => ({ closure: await createClosure(ctx, input) }),
});

addMutation('deleteClosure', {
  description: 'Deletes a closure, so that the location is open again',
  access: 'spaces:write',
  input: closureIdInput,
  payload: { deletedClosureId: { type: 'ID', description: 'The id of the deleted closure' } },
  resolve: async ({ id }, { ctx }) => {
    await deleteClosure(ctx, id);
    return { deletedClosureId: id };
  },
});
