import { z } from 'zod';
import {
  anyId,
  boundedText,
  calendarDate,
  creationFilter,
  moneyInput,
  orDefault,
} from '../../core/validation.ts';
import { RESOURCE_TYPES } from '../spaces/service.ts';

const hours = z
  .int()
  .min(0)
  .max(31 * 24);

export const planBenefitInput = z
  .object({
    resourceType: z.enum(RESOURCE_TYPES).meta({ description: 'The type of resource' }),
    includedHours: hours
      .default(0)
      .meta({ description: 'Hours for each calendar month that the price includes' }),
    discountPercent: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .meta({ description: 'The discount on all other hours, from 0 to 100' }),
    limitHours: orDefault(hours, null).meta({
      description:
        'The maximum for each calendar month, at least includedHours. Default: no limit.',
    }),
  })
  .meta({ description: 'What a plan includes for one type of resource' });

const planId = anyId.meta({ description: 'The id of the plan' });
const name = boundedText(200).meta({ description: 'The name of the plan' });
const price = moneyInput.meta({ description: 'The price for each interval' });
const interval = z
  .enum(['month', 'quarter', 'year'])
  .meta({ description: 'How often the price is due' });
const benefits = z.array(planBenefitInput).max(20);

export const planFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only plans that new memberships can use, or only the others' }),
    interval: z
      .array(interval)
      .min(1)
      .max(interval.options.length)
      .optional()
      .meta({ description: 'Only plans with one of these intervals' }),
  })
  .meta({ description: 'Limits a list of plans; all conditions apply together' });

export const createPlanInput = z.object({
  name,
  price,
  interval: interval.default('month'),
  benefits: orDefault(benefits, []).meta({
    description: 'At most one for each type of resource',
  }),
});

export const updatePlanInput = z
  .object({
    id: planId,
    name: name.optional(),
    price: price.optional(),
    interval: interval.optional(),
    active: z.boolean().optional().meta({ description: 'Whether new memberships can use it' }),
    benefits: benefits.optional().meta({ description: 'Replaces all benefits' }),
  })
  .meta({ description: 'Omitted fields stay as they are' });

export const membershipFilter = z
  .object({
    memberId: z.uuid().optional().meta({ description: 'Only memberships that this member holds' }),
    teamId: z.uuid().optional().meta({ description: 'Only memberships that this team holds' }),
    planId: z.uuid().optional().meta({ description: 'Only memberships with this plan' }),
    activeOn: calendarDate
      .optional()
      .meta({ description: 'Only memberships that are active on this day' }),
    endsFrom: calendarDate
      .optional()
      .meta({ description: 'Only memberships whose last day is this day or later' }),
    endsTo: calendarDate
      .optional()
      .meta({ description: 'Only memberships whose last day is before this day' }),
  })
  .meta({ description: 'Limits a list of memberships; all conditions apply together' });

export const createMembershipInput = z
  .object({
    planId: z.uuid().meta({ description: 'The plan to assign' }),
    memberId: z.uuid().optional().meta({ description: 'The member who gets it' }),
    teamId: z.uuid().optional().meta({ description: 'The team that shares it' }),
    startsOn: calendarDate.meta({ description: 'The first day' }),
    endsOn: calendarDate.optional().meta({ description: 'The last day. Default: no end' }),
  })
  .meta({ description: 'Either memberId or teamId' });

const membershipId = anyId.meta({ description: 'The id of the membership' });

export const membershipIdInput = z.object({ id: membershipId });

export const endMembershipInput = z.object({
  id: membershipId,
  endsOn: calendarDate.meta({ description: 'The last day' }),
});
