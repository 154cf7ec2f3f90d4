import { z } from 'zod';
import { DAY_MINUTES, WEEK_MINUTES } from '../../core/time/time-zone.ts';
import {
  boundedText,
  calendarDate,
  emailAddress,
  singleLine,
  slug,
  uuid,
  webOrigin,
} from '../../core/validation.ts';
import type {
  BookingDetail,
  Closure,
  Location,
  LookupAccess,
  MemberAdmission,
  OpeningHours,
  Resource,
  ResourceType,
} from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

const LOOKUP_ACCESS = ['public', 'kiosks'] as const satisfies LookupAccess[];

/** Returns who may look members up at a location. Null is stored until the first kiosk is paired or staff chooses. */
export const toLookupAccess = ({ lookupAccess }: Pick<Location, 'lookupAccess'>): LookupAccess =>
  lookupAccess ?? 'public';

const lookupAccess = z.enum(LOOKUP_ACCESS);

const BOOKING_DETAILS = ['nothing', 'initials', 'name', 'title'] as const satisfies BookingDetail[];

const MEMBER_ADMISSIONS = ['with_membership', 'all'] as const satisfies MemberAdmission[];

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
    memberAdmission: {
      schema: z.enum(MEMBER_ADMISSIONS),
      description:
        'Which members can check in. Plans are valid at all locations. Paused and former members never can. Tickets, day passes and bookings admit their holder without a membership.',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    memberBookingsOnDisplays: {
      schema: z.enum(BOOKING_DETAILS),
      description: 'What displays show of bookings by members',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    guestBookingsOnDisplays: {
      schema: z.enum(BOOKING_DETAILS),
      description: 'What displays show of bookings for guests, which staff make',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    hostEmail: {
      schema: emailAddress.transform((address) => address.toLowerCase()).nullable(),
      description:
        'Email address that is notified when guests without a host arrive. Only callers with check-ins:read can set it, since the emails name the guests',
      whenNull: 'null for nobody',
      access: 'spaces:read',
      create: 'optional',
      update: true,
      erasure: 'clear',
    },
    embedOrigins: {
      schema: z
        .array(webOrigin)
        .max(20)
        .transform((origins) => [...new Set(origins)]),
      description:
        'The websites that can show widgets in a frame, such as https://example.org. Widgets show what is public, of all locations',
      access: 'spaces:read',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    publicAvailability: {
      schema: z.boolean(),
      description:
        'Whether anyone can see when its rooms are free, such as in the widget for rooms. Nobody sees who books them',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    createdAt: createdAt('When the location was created', 'spaces:read'),
    updatedAt: updatedAt('spaces:read'),
  },
} as const satisfies RowDescription<Location>;

export const RESOURCE_TYPES = [
  'room',
  'desk',
  'equipment',
] as const satisfies readonly ResourceType[];

/** In filters of several operations. */
export const resourceTypes = z
  .array(z.enum(RESOURCE_TYPES))
  .min(1)
  .max(RESOURCE_TYPES.length)
  .meta({ description: 'Only resources of one of these types' });

/** The longest time that can stay free after a booking. A CHECK on `resources` has the same limit. */
export const MAX_BUFFER_MINUTES = DAY_MINUTES;

const YEAR_MINUTES = 365 * DAY_MINUTES;
const upTo = (max: number) => z.int().min(0).max(max);
const minutesUpTo = (max: number) => z.int().min(1).max(max);

export const resourceRow = {
  table: 'resources',
  columns: {
    id: rowId('Identifies the resource in both APIs'),
    slug: {
      schema: slug,
      description: 'The name in URLs: lowercase letters, digits and dashes',
      access: 'spaces:read',
      create: 'required',
      erasure: 'content',
    },
    name: {
      schema: singleLine(200),
      description: 'The name that members see',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    type: {
      schema: z.enum(RESOURCE_TYPES),
      description: 'Which benefits of plans apply to it',
      access: 'spaces:read',
      create: 'required',
      update: true,
    },
    area: {
      schema: singleLine(100).nullable(),
      description:
        'The floor or part of the location, such as Second floor, by which lists group and filter',
      whenNull: 'null if it has none',
      access: 'spaces:read',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    capacity: {
      schema: z.int().min(1).max(1_000_000),
      description: 'How many people it is for',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    locationId: {
      hidden: 'Shown as location',
      schema: uuid,
      description: 'The location of the resource',
      create: 'required',
      journal: true,
    },
    hourlyAmount: { hidden: 'Shown as pricePerHour', schema: z.int(), journal: true },
    currency: {
      hidden: 'Shown as pricePerHour',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    minMinutes: {
      schema: minutesUpTo(WEEK_MINUTES),
      description: 'The shortest booking in minutes',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    maxMinutes: {
      schema: minutesUpTo(WEEK_MINUTES),
      description: 'The longest booking in minutes',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    gridMinutes: {
      schema: minutesUpTo(DAY_MINUTES),
      description:
        'Bookings start at multiples of this interval, counted from midnight in the time zone of the location, and last a multiple of it. 1440 books whole days, from midnight to midnight.',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    bufferMinutes: {
      schema: upTo(MAX_BUFFER_MINUTES),
      description:
        'Minutes that are kept free after each booking. A change applies to later bookings.',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    noticeMinutes: {
      schema: upTo(YEAR_MINUTES),
      description: 'How many minutes in advance a booking must be made',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    daysAhead: {
      schema: upTo(3650),
      description:
        'How many days in advance bookings can start, for everyone but staff and tokens that override it',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    freeCancellationHours: {
      schema: upTo(YEAR_MINUTES / 60),
      description:
        'Bookings can be cancelled free of charge until this many hours before the start. After that, the full price is charged.',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    noShowMinutes: {
      schema: minutesUpTo(DAY_MINUTES).nullable(),
      description: 'Bookings without a check-in are released this many minutes after the start',
      whenNull: 'null for never',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    requiresApproval: {
      schema: z.boolean(),
      description: 'Whether bookings by members need approval by staff',
      access: 'spaces:read',
      create: 'optional',
      update: true,
    },
    amenities: {
      schema: z.array(singleLine(100)).max(100),
      description: 'What it offers, such as Whiteboard. People filter by these words.',
      access: 'spaces:read',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    active: {
      schema: z.boolean(),
      description: 'Whether it can be booked at present',
      access: 'spaces:read',
      update: true,
    },
    createdAt: createdAt('When the resource was created', 'spaces:read'),
    updatedAt: updatedAt('spaces:read'),
  },
} as const satisfies RowDescription<Resource>;
export const openingHoursRow = {
  table: 'opening_hours',
  columns: {
    id: { hidden: 'A week is replaced as a whole' },
    locationId: { hidden: 'Shown with the location' },
    weekday: {
      hidden: 'Shown as a day of the week',
      schema: z.int(),
      description: '1 is Monday, 7 is Sunday',
      journal: true,
    },
    opensMinute: {
      hidden: 'Shown as opens',
      schema: z.int(),
      description: 'When it opens, in minutes after midnight',
      journal: true,
    },
    closesMinute: {
      hidden: 'Shown as closes',
      schema: z.int(),
      description: 'When it closes, in minutes after midnight',
      journal: true,
    },
  },
} as const satisfies RowDescription<OpeningHours>;

export const closureRow = {
  table: 'closures',
  columns: {
    id: rowId('Identifies the closure in both APIs'),
    locationId: {
      hidden: 'Shown as location',
      schema: uuid,
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
      schema: singleLine(500).nullable(),
      description: 'Why it is closed, for staff, members and displays',
      whenNull: 'null if no reason was given',
      create: 'optional',
      erasure: 'content',
    },
    announcement: { hidden: 'Sent by announceClosure', erasure: 'content' },
    createdAt: { hidden: 'Closures are sorted by their first day' },
  },
} as const satisfies RowDescription<Closure>;
