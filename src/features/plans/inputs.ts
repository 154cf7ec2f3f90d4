import { z } from 'zod';
import {
  anyId,
  boundedText,
  calendarDate,
  creationFilter,
  moneyInput,
  orDefault,
  uuid,
} from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { membershipRow, planBenefitRow, planRow } from './rows.ts';

const { includedHours, discountPercent, limitHours, ...benefitShape } =
  toCreationShape(planBenefitRow);

export const planBenefitInput = z
  .object({
    ...benefitShape,
    includedHours: includedHours.default(0),
    discountPercent: discountPercent.default(0),
    limitHours: orDefault(limitHours, null),
  })
  .meta({ description: 'What a plan includes for one type of resource' });

const planId = anyId.meta({ description: 'The id of the plan' });
const price = moneyInput.meta({ description: 'The price for each interval' });
const { interval } = planRow.columns;
const benefits = z.array(planBenefitInput).max(20);

export const planFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only plans that new memberships can use, or only the others' }),
    interval: z
      .array(interval.schema)
      .min(1)
      .max(interval.schema.options.length)
      .optional()
      .meta({ description: 'Only plans with one of these intervals' }),
  })
  .meta({ description: 'Limits a list of plans; all conditions apply together' });

const planShape = toCreationShape(planRow);

export const createPlanInput = z.object({
  ...planShape,
  interval: planShape.interval.default('month'),
  price,
  benefits: orDefault(benefits, []).meta({
    description: 'At most one for each type of resource',
  }),
});

export const updatePlanInput = z
  .object({
    id: planId,
    ...toChangeShape(planRow),
    price: price.optional(),
    benefits: benefits.optional().meta({ description: 'Replaces all benefits' }),
  })
  .meta({ description: describeChanges(planRow) });

export const membershipFilter = z
  .object({
    memberId: uuid.optional().meta({ description: 'Only memberships that this member holds' }),
    teamId: uuid.optional().meta({ description: 'Only memberships that this team holds' }),
    planId: uuid.optional().meta({ description: 'Only memberships with this plan' }),
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
  .object(toCreationShape(membershipRow))
  .meta({ description: 'Either memberId or teamId' });

const membershipId = anyId.meta({ description: 'The id of the membership' });

export const membershipIdInput = z.object({ id: membershipId });

export const changePlanInput = z.object({
  id: membershipId.meta({ description: 'The membership that ends the day before' }),
  planId: planId.meta({ description: 'The plan to continue with' }),
  startsOn: calendarDate.meta({
    description:
      'The first day of the other plan: after the first day of the membership, and not after its last',
  }),
});

export const undoPlanChangeInput = z.object({
  id: membershipId.meta({ description: 'The membership that the change created' }),
});

export const endMembershipInput = z.object({
  id: membershipId,
  endsOn: calendarDate.meta({ description: 'The last day' }),
});
