import { z } from 'zod';
import { emailAddress, personName } from '../../core/validation.ts';
import type { User } from '../../db/generated/client.ts';
import { StaffRole } from '../../db/generated/enums.ts';
import { createdAt, hiddenUpdatedAt, type RowDescription, rowId } from '../../rows/row.ts';

export const STAFF_STATUSES = ['active', 'invited', 'disabled'] as const;

/** As `toStaffStatus`. */
export const toStatusSql = (row: string) =>
  `CASE WHEN ${row}.disabled_at IS NOT NULL THEN 'disabled' WHEN ${row}.invited_at IS NOT NULL THEN 'invited' ELSE 'active' END`;

/** An account of a staff user. Accounts of members have no role, and the APIs do not show them. */
export const staffRow = {
  table: 'users',
  columns: {
    id: rowId('Identifies the account in mutations'),
    name: {
      schema: personName,
      description: 'The full name',
      create: 'required',
      erasure: 'name',
    },
    email: {
      schema: z.string().trim().pipe(emailAddress),
      description: 'The address by which the person signs in and gets links',
      create: 'required',
      erasure: 'address',
    },
    passwordHash: { hidden: 'A secret', erasure: 'clear' },
    role: {
      schema: z.enum(StaffRole),
      description: 'What the person can do',
      create: 'required',
      journal: z.enum(StaffRole).nullable(),
    },
    memberId: { hidden: 'Null for staff' },
    invitedAt: {
      hidden: 'Shown as status',
      schema: z.date().nullable(),
      description: 'When the person was invited',
      whenNull: 'null once the person has accepted',
      journal: true,
    },
    disabledAt: {
      schema: z.date().nullable(),
      description: 'When the account was disabled',
      whenNull: 'null if it is enabled',
    },
    wantsRequestEmails: {
      hidden: 'Shown as notificationSettings to the person',
      schema: z.boolean().nullable(),
      description: 'Whether the person gets emails about new requests',
      whenNull: 'null for the default of the role',
      journal: true,
    },
    wantsOutageEmails: {
      hidden: 'Shown as notificationSettings to the person',
      schema: z.boolean(),
      description: 'Whether the person gets emails about displays that fail',
      journal: true,
    },
    lastActiveAt: {
      schema: z.date().nullable(),
      description: 'When the person last used Foyer, accurate to a minute',
      whenNull: 'null if the person has never signed in',
      journal: false,
    },
    createdAt: createdAt('When the account was created'),
    updatedAt: hiddenUpdatedAt,
  },
  computed: {
    status: {
      schema: z.enum(STAFF_STATUSES),
      description: 'Whether the person can sign in',
      sql: toStatusSql,
    },
    linkExpiresAt: {
      schema: z.date().nullable(),
      description: 'When the open invitation or password reset expires or expired',
      whenNull: 'null if there is none',
      sql: (row) =>
        `(SELECT link.expires_at FROM staff_links link LEFT JOIN users creator ON creator.id = link.created_by_id
          WHERE link.user_id = ${row}.id AND (link.created_by_id IS NULL OR creator.role = 'owner' AND creator.disabled_at IS NULL))`,
    },
    activeTokenCount: {
      schema: z.int(),
      description: 'How many API tokens of this person still work',
      sql: (row) =>
        `(SELECT count(*) FROM api_tokens token WHERE token.created_by_id = ${row}.id AND token.revoked_at IS NULL
        AND coalesce(token.expires_at > clock.now, true))`,
    },
  },
} as const satisfies RowDescription<User>;
