import { builder } from '../../graphql/builder.ts';
import { Money } from '../../graphql/money.ts';
import { byItsName, paged } from '../../graphql/pages.ts';
import { ResourceType } from '../spaces/graphql.ts';
import * as plans from './service.ts';

const READ = { access: 'plans:read' } as const;

export const PlanInterval = builder.enumType('PlanInterval', {
  values: {
    MONTH: { value: 'month' },
    QUARTER: { value: 'quarter' },
    YEAR: { value: 'year' },
  } as const,
});

const PlanBenefit = builder.objectRef<plans.Benefit>('PlanBenefit').implement({
  description: 'What a plan means for one type of resource, in a calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', { type: ResourceType }),
    includedHours: t.exposeInt('includedHours', { description: 'Without further payment' }),
    discountPercent: t.exposeInt('discountPercent', {
      description: 'Off the public price for what goes beyond',
    }),
    limitHours: t.exposeInt('limitHours', {
      nullable: true,
      description: 'Not more than this, paid or not; null: as much as they like',
    }),
  }),
});

export const Plan = builder.objectRef<plans.Plan>('Plan');
Plan.implement({
  description: 'What members subscribe to',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    price: t.expose('price', { type: Money, description: 'For each interval; told, not charged' }),
    interval: t.expose('interval', { type: PlanInterval }),
    active: t.exposeBoolean('active', {
      description: 'Whether new memberships may begin on it',
    }),
    benefits: t.expose('benefits', { type: [PlanBenefit] }),
  }),
});

builder.queryField('plans', (t) =>
  t.connection({
    type: Plan,
    description: 'By name, those that are no longer offered too',
    authScopes: READ,
    ...paged(plans.list, byItsName),
  }),
);

builder.queryField('plan', (t) =>
  t.field({
    type: Plan,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => plans.get(ctx, id),
  }),
);
