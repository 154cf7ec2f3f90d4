import { z } from 'zod';
import {
  boundedText,
  creationFilter,
  emailAddress,
  ignoreNull,
  uuid,
} from '../../core/validation.ts';
import { toCreationShape } from '../../rows/inputs.ts';
import { STAFF_STATUSES, staffRow } from './rows.ts';

const { role } = toCreationShape(staffRow);

export const staffFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name or email address' }),
    role: z
      .array(role)
      .min(1)
      .max(role.options.length)
      .optional()
      .meta({ description: 'Only staff with one of these roles' }),
    status: z
      .array(z.enum(STAFF_STATUSES))
      .min(1)
      .max(STAFF_STATUSES.length)
      .optional()
      .meta({ description: 'Only staff with one of these statuses' }),
  })
  .meta({ description: 'Limits a list of staff users; all conditions apply together' });

export const inviteStaffInput = z.object(toCreationShape(staffRow));

export const staffUserIdInput = z.object({
  id: uuid.meta({ description: 'The id of the staff user' }),
});

export const endStaffSessionsInput = staffUserIdInput.extend({
  sessionId: ignoreNull(uuid).meta({
    description: 'The session to end. Default: all sessions of the staff user.',
  }),
});

export const requestPasswordResetInput = z.object({
  email: z
    .string()
    .trim()
    .pipe(emailAddress)
    .meta({ description: 'The address of a staff account' }),
});

const revokeTokens = ignoreNull(z.boolean()).meta({
  description: 'Also revoke the API tokens that this person created. Default: false.',
});

export const setStaffRoleInput = staffUserIdInput.extend({ role, revokeTokens });

export const disableStaffInput = staffUserIdInput.extend({ revokeTokens });

const secret = z.string().trim();

export const staffLinkArgs = z.object({
  secret: secret.meta({ description: 'The part of the link after the #' }),
});

export const acceptStaffLinkInput = z.object({
  secret: secret.meta({ description: 'The part of the link after the #' }),
  password: z.string().min(1).max(1000).meta({ description: 'The new password' }),
});

export const updateMyAccountInput = inviteStaffInput.pick({ name: true });

export const updateNotificationSettingsInput = z.object({
  offlineDisplays: z.boolean().optional().meta({
    description: 'Whether you want emails about displays that are offline for 15 minutes',
  }),
  bookingRequests: z.boolean().optional().meta({
    description: 'Whether you want emails about bookings that need approval',
  }),
});
