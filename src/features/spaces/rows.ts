import { z } from 'zod';
import {
  boundedText,
  calendarDate,
  emailAddress,
  singleLine,
  slug,
} from '../../core/validation.ts';
import type { Closure, Location, LookupAccess, OpeningHours } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

export const LOOKUP_ACCESS = ['public', 'kiosks'] as const satisfies LookupAccess[];

/** Returns who may look members up at a location. Null is stored until the first kiosk is paired or staff chooses. */
export const toLookupAccess = ({ lookupAccess }: Pick<Location, 'lookupAccess'>): LookupAccess =>
  lookupAccess ?? 'public';

const lookupAccess = z.enum(LOOKUP_ACCESS);

export const locationRow = {
  table: 'locations',
  columns: {
    id: rowId('Identifies the location in both APIs'),
    name: {
      schema: singleLine(200),
      description: 'The name that visitors see',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    slug: {
      schema: slug,
      description: 'The name in URLs and on the command line: lowercase letters, digits and dashes',
      access: 'spaces:read',
      create: 'required',
      erasure: 'content',
    },
    timeZone: {
      schema: boundedText(100),
      description:
        'IANA name, such as Europe/Berlin. If it changes, bookings do not move, so their local times change.',
      create: 'required',
      update: true,
      erasure: 'technical',
    },
    address: {
      schema: boundedText(500).nullable(),
      description: 'The postal address',
      whenNull: 'null if it has none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    phone: {
      schema: singleLine(50).nullable(),
      description: 'The phone number for visitors, in any format',
      whenNull: 'null if it has none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    capacity: {
      schema: z.int().min(1).max(1_000_000).nullable(),
      description: 'How many people can be present at once',
      whenNull: 'null for no limit',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    lookupNames: {
      schema: z.boolean(),
      description: 'Whether members can check in by searching their name',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    lookupAccess: {
      schema: lookupAccess,
      description:
        'Who may look members up and check them in by handle. Codes work for everyone. The first kiosk that is paired sets it to KIOSKS; staff can set it back.',
      access: 'spaces:read',
      create: 'optional',
      update: true,
      journal: lookupAccess.nullable(),
      sql: (row) => `coalesce(${row}.lookup_access, 'public')`,
      toValue: toLookupAccess,
    },
    hostEmail: {
      schema: emailAddress.transform((address) => address.toLowerCase()).nullable(),
      description: 'Email address that is notified when guests without a host arrive',
      whenNull: 'null for nobody',
      access: 'spaces:read',
      create: 'optional',
      update: true,
      erasure: 'clear',
    },
    createdAt: createdAt('When the location was created', 'spaces:read'),
    updatedAt,
  },
} as const satisfies RowDescription<Location>;

export const openingHoursRow = {
  table: 'opening_hours',
  columns: {
    id: { hidden: 'A week is replaced as a whole' },
    locationId: { hidden: 'Shown with the location' },
    weekday: { hidden: 'Shown as a day of the week', schema: z.int(), journal: true },
    opensMinute: { hidden: 'Shown as opens', schema: z.int(), journal: true },
    closesMinute: { hidden: 'Shown as closes', schema: z.int(), journal: true },
  },
} as const satisfies RowDescription<OpeningHours>;

export const closureRow = {
  table: 'closures',
  columns: {
    id: rowId('Identifies the closure in deleteClosure'),
    locationId: {
      hidden: 'Shown as location',
      schema: z.uuid(),
      description: 'The location that is closed',
      create: 'required',
      journal: true,
    },
    startsOn: {
      schema: calendarDate,
      description: 'The first closed day, in the time zone of the location',
      create: 'required',
    },
    endsOn: {
      schema: calendarDate,
      description: 'The last closed day, in the time zone of the location',
      create: 'required',
    },
    reason: {
      schema: boundedText(500).nullable(),
      description: 'Why it is closed, for staff, members and displays',
      whenNull: 'null if no reason was given',
      create: 'optional',
      erasure: 'content',
    },
    createdAt: { hidden: 'Closures are sorted by their first day' },
  },
} as const satisfies RowDescription<Closure>;
