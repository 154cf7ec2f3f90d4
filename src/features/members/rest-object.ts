import { z } from 'zod';
import { canReadCodes } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { uuid } from '../../core/validation.ts';
import type { Member } from '../../db/generated/client.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import type { RestObject } from '../../objects/row-object.ts';
import { memberRow } from './rows.ts';

const fields = showRestFields(memberRow);

export const memberSchema = z
  .object({
    ...fields.shape,
    team_id: uuid.nullable().meta({ description: 'The team of the member; null without one' }),
    code: z.string().nullable().meta({
      description:
        "The content of the member's QR code. null without members:write and check-ins:write.",
    }),
  })
  .meta({ id: 'Member', description: 'A person of the space' });

const toMemberJson = (member: Member, { showsCodes }: { showsCodes: boolean }) => ({
  ...fields.serialize(member),
  team_id: member.teamId,
  code: showsCodes ? member.code : null,
});

/** A member as the viewer may see them. */
export const toVisibleMember = ({ viewer }: Context, member: Member) =>
  toMemberJson(member, { showsCodes: canReadCodes(viewer, 'members:write') });

export const memberObject: RestObject = {
  codeScope: 'members:write',
  schema: memberSchema,
  find: async ({ db }, ids, options) => {
    const members = await db.member.findMany({ where: { id: { in: ids } } });
    return new Map(members.map((member) => [member.id, toMemberJson(member, options)]));
  },
};
