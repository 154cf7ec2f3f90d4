import { z } from 'zod';
import type { StaffRole } from '../../auth/viewer.ts';
import {
  boundedText,
  creationFilter,
  emailAddress,
  orDefault,
  personName,
} from '../../core/validation.ts';
import type { StaffStatus } from './types.ts';

const role = z
  .enum(['owner', 'manager', 'front_desk'] as const satisfies StaffRole[])
  .meta({ description: 'What the person is allowed to do' });

const statuses = ['active', 'invited', 'disabled'] as const satisfies StaffStatus[];

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
      .array(z.enum(statuses))
      .min(1)
      .max(statuses.length)
      .optional()
      .meta({ description: 'Only staff with one of these statuses' }),
  })
  .meta({ description: 'Limits a list of staff users; all conditions apply together' });

export const inviteStaffInput = z.object({
  name: personName.meta({ description: 'The name of the person' }),
  email: z
    .string()
    .trim()
    .pipe(emailAddress)
    .meta({ description: 'The address that gets the link, and with which the person signs in' }),
  role,
});

export const staffUserIdInput = z.object({
  id: z.uuid().meta({ description: 'The id of the staff user' }),
});

const revokeTokens = orDefault(z.boolean(), false).meta({
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

export const updateNotificationSettingsInput = z.object({
  offlineDisplays: z.boolean().meta({
    description: 'Whether you want emails about displays that are offline for 15 minutes',
  }),
});
