import { z } from 'zod';
import { anyId, boundedText, creationFilter, emailAddress, uuid } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { MEMBER_STATUSES, memberRow } from './rows.ts';

export const memberFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({
      description:
        'Part of the name, email address, company or name of the team, or at least four digits of the phone number',
    }),
    status: z
      .array(z.enum(MEMBER_STATUSES))
      .min(1)
      .max(MEMBER_STATUSES.length)
      .optional()
      .meta({ description: 'Only members with one of these statuses' }),
    planId: uuid
      .optional()
      .meta({ description: 'Only members who have this plan today, also through their team' }),
    withoutPlan: z.boolean().optional().meta({
      description: 'true: only members who have no plan today, themselves or through their team',
    }),
    erased: z
      .boolean()
      .optional()
      .meta({ description: 'Only people whose data was erased, or only the others' }),
    teamId: uuid.optional().meta({ description: 'Only members of this team' }),
  })
  .meta({ description: 'Limits a list of members; all conditions apply together' });

const id = anyId.meta({ description: 'The id of the member' });

export const createMemberInput = z.object({
  ...toCreationShape(memberRow),
  sendWelcomeEmail: z.boolean().optional().meta({
    description:
      'Whether the member gets the welcome email. Default: true for staff, false for other callers. Nothing is sent if the template member-welcome is switched off, or while the address is not confirmed.',
  }),
});

export const memberIdInput = z.object({ id });

export const approveEmailChangeInput = memberIdInput.extend({
  email: emailAddress.nullish().meta({
    description:
      'The new address that was read. If another one is pending now, nothing is approved. Without it, whichever is pending is approved.',
  }),
});

export const emailLinkInput = z.object({
  secret: z.string().trim().meta({ description: 'The part of the link after the #' }),
});

export const updateMemberInput = z
  .object({ id, ...toChangeShape(memberRow) })
  .meta({ description: describeChanges(memberRow) });
