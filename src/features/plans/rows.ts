import { z } from 'zod';
import { calendarDate, singleLine, uuid } from '../../core/validation.ts';
import type { Membership, Plan, PlanBenefit } from '../../db/generated/client.ts';
import { PlanInterval, ResourceType } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

export const planRow = {
  table: 'plans',
  columns: {
    id: rowId('Identifies the plan in memberships'),
    name: {
      schema: singleLine(200),
      description: 'The name that members see',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    priceAmount: {
      hidden: 'Shown as price',
      schema: z.int(),
      description: 'What it costs each interval',
      journal: true,
    },
    priceCurrency: {
      hidden: 'Shown as price',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    interval: {
      schema: z.enum(PlanInterval),
      description: 'How often the price is due',
      create: 'optional',
      update: true,
    },
    active: {
      schema: z.boolean(),
      description: 'Whether new memberships can use it',
      update: true,
    },
    createdAt: createdAt('When the plan was created'),
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<Plan>;

const hours = z
  .int()
  .min(0)
  .max(31 * 24);

export const planBenefitRow = {
  table: 'plan_benefits',
  columns: {
    planId: { hidden: 'Benefits are shown with their plan' },
    resourceType: {
      schema: z.enum(ResourceType),
      description: 'The type of resource that the benefit is for',
      create: 'required',
    },
    includedHours: {
      schema: hours,
      description: 'Hours for each calendar month that the price includes',
      create: 'optional',
    },
    discountPercent: {
      schema: z.int().min(0).max(100),
      description: 'The discount on the public price after the included hours, from 0 to 100',
      create: 'optional',
    },
    limitHours: {
      schema: hours.nullable(),
      description:
        'The maximum hours for each calendar month, included or paid, and at least the included hours',
      whenNull: 'null for no limit',
      create: 'optional',
    },
  },
} as const satisfies RowDescription<PlanBenefit>;

export const membershipRow = {
  table: 'memberships',
  columns: {
    id: rowId('Identifies the membership'),
    planId: {
      hidden: 'Shown as plan',
      schema: uuid,
      description: 'The plan of the member or team',
      create: 'required',
      journal: true,
    },
    memberId: {
      hidden: 'Shown as member',
      schema: uuid.nullable(),
      description: 'The member who has it',
      whenNull: 'null if a team has it',
      create: 'optional',
      journal: true,
    },
    teamId: {
      hidden: 'Shown as team',
      schema: uuid.nullable(),
      description: 'The team that shares it',
      whenNull: 'null if a member has it',
      create: 'optional',
      journal: true,
    },
    startsOn: { schema: calendarDate, description: 'The first day', create: 'required' },
    endsOn: {
      schema: calendarDate.nullable(),
      description: 'The last day',
      whenNull: 'null for no end',
      create: 'optional',
    },
    previousId: { hidden: 'Shown as nextMembership of the other one' },
    createdAt: createdAt('When the membership was created'),
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<Membership>;
