import { z } from 'zod';
import {
  anyId,
  boundedText,
  creationFilter,
  emailAddress,
  ignoreNull,
  personName,
} from '../../core/validation.ts';
import { MEMBER_STATUSES } from './service.ts';

export const memberFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name or email address' }),
    status: z
      .array(z.enum(MEMBER_STATUSES))
      .min(1)
      .max(MEMBER_STATUSES.length)
      .optional()
      .meta({ description: 'Only members with one of these statuses' }),
    teamId: z.uuid().optional().meta({ description: 'Only members of this team' }),
  })
  .meta({ description: 'Limits a list of members; all conditions apply together' });

const id = anyId.meta({ description: 'The id of the member' });
const name = personName.meta({ description: 'The name of the person' });
const email = emailAddress.meta({ description: 'The address for sign-in links and other emails' });
const phone = boundedText(50).meta({ description: 'A phone number, in any form' });
const company = boundedText(200).meta({ description: 'The company of the member' });
const teamId = z.uuid().meta({ description: 'The team that the member belongs to' });

export const createMemberInput = z.object({
  name,
  email,
  phone: ignoreNull(phone),
  company: ignoreNull(company),
  teamId: teamId.optional(),
});

export const memberIdInput = z.object({ id });

export const emailLinkInput = z.object({
  secret: z.string().trim().meta({ description: 'The part of the link after the #' }),
});

export const updateMemberInput = z
  .object({
    id,
    name: name.optional(),
    email: email.optional(),
    phone: phone.nullish(),
    company: company.nullish(),
    status: z
      .enum(MEMBER_STATUSES)
      .optional()
      .meta({ description: 'Former members are signed out' }),
    teamId: teamId.nullish(),
  })
  .meta({ description: 'Omitted fields stay as they are; null clears phone, company and team' });
