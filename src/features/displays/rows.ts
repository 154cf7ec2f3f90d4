import { z } from 'zod';
import { boundedText, singleLine, uuid } from '../../core/validation.ts';
import type { Announcement, Display } from '../../db/generated/client.ts';
import { DisplayKind, DisplayStatus } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

export const ONLINE_WITHIN_SECONDS = 150;
export const STALE_WITHIN_SECONDS = 300;

const toHeartbeatSql = (row: string, column: string) =>
  `(SELECT beat.${column} FROM display_heartbeats beat WHERE beat.display_id = ${row}.id)`;

/** The status at `clock.now`, as `toDisplayStatus` computes it. */
const toStatusSql = (row: string) => {
  const isSeenWithin = (seconds: number) =>
    `clock.now - ${toHeartbeatSql(row, 'last_seen_at')} < interval '${seconds} seconds'`;
  return `CASE WHEN ${row}.revoked_at IS NOT NULL THEN 'revoked'
    WHEN ${isSeenWithin(ONLINE_WITHIN_SECONDS)} THEN 'online'
    WHEN ${isSeenWithin(STALE_WITHIN_SECONDS)} THEN 'stale' ELSE 'offline' END`;
};

export const displayRow = {
  table: 'displays',
  columns: {
    id: rowId('Identifies the display in both APIs; it is not its token'),
    name: {
      schema: singleLine(200),
      description: 'Where the screen is, such as "Lobby"',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    kind: {
      schema: z.enum(DisplayKind),
      description: 'What the screen shows',
      create: 'required',
      update: true,
    },
    locationId: {
      hidden: 'Shown as location',
      schema: uuid,
      description: 'The location of the screen',
      create: 'required',
      journal: true,
    },
    resourceId: {
      hidden: 'Shown as resource',
      schema: uuid.nullable(),
      description: 'A resource of its location; required for a room panel',
      whenNull: 'null if it shows no resource',
      create: 'optional',
      update: true,
      journal: true,
    },
    tokenHash: { hidden: 'A secret' },
    tokenPrefix: {
      schema: z.string(),
      description: 'The beginning of its token, enough to recognize it',
      journal: false,
      erasure: 'technical',
    },
    previousTokenHash: { hidden: 'A secret' },
    previousTokenUntil: { hidden: 'Only for the overlap of two tokens' },
    revokedAt: {
      schema: z.date().nullable(),
      description: 'When its token was revoked',
      whenNull: 'null if it was not',
    },
    createdAt: createdAt('When the display was added'),
    updatedAt: updatedAt(),
  },
  computed: {
    status: {
      schema: z.enum(DisplayStatus),
      description: 'Whether heartbeats arrive',
      sql: toStatusSql,
    },
    lastSeenAt: {
      schema: z.date().nullable(),
      description: 'When the last heartbeat arrived',
      whenNull: 'null if none has',
      sql: (row) => toHeartbeatSql(row, 'last_seen_at'),
    },
    appVersion: {
      schema: z.string().nullable(),
      description: 'The version of the app, as the device reports it',
      sql: (row) => toHeartbeatSql(row, 'app_version'),
    },
    uptimeSeconds: {
      schema: z.int().nullable(),
      description: 'Seconds since the device was switched on, as it reports',
      sql: (row) => toHeartbeatSql(row, 'uptime_seconds'),
    },
    batteryPercent: {
      schema: z.int().nullable(),
      description: 'The charge of the battery in percent, as the device reports it',
      sql: (row) => toHeartbeatSql(row, 'battery_percent'),
    },
  },
} as const satisfies RowDescription<Display>;

export const announcementRow = {
  table: 'announcements',
  columns: {
    id: rowId('Identifies the announcement in both APIs'),
    locationId: {
      hidden: 'Shown as location',
      schema: uuid.nullable(),
      description: 'The only location that shows it',
      whenNull: 'null for all locations',
      create: 'optional',
      update: true,
      journal: true,
    },
    title: {
      schema: singleLine(200),
      description: 'The line that displays show in large letters',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    body: {
      schema: boundedText(2_000).nullable(),
      description: 'The text below the title',
      whenNull: 'null if there is none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    startsAt: {
      schema: z.date(),
      description: 'When displays begin to show it',
      create: 'optional',
      update: true,
    },
    endsAt: {
      schema: z.date().nullable(),
      description: 'When displays stop showing it',
      whenNull: 'null if they show it until it is deleted',
      create: 'optional',
      update: true,
    },
    createdAt: { hidden: 'Lists are sorted by it' },
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<Announcement>;
