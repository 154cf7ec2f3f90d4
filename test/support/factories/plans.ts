import { v7 } from 'uuid';
import { createMember } from '../../../src/features/members/service/members.ts';
import { createPlan } from '../../../src/features/plans/service/plans.ts';
import type { TestApp } from '../harness/app.ts';

/** A plan with included hours at desks. */
export const makePlan = (app: TestApp) =>
  createPlan(app.ctx, {
    name: `Plan ${v7()}`,
    price: { amount: 100, currency: 'EUR' },
    interval: 'month',
    benefits: [{ resourceType: 'desk', includedHours: 9, discountPercent: 0, limitHours: null }],
  });

/** A member who can have a plan, alone or through a team. */
export const makePlanHolder = (app: TestApp, input: { teamId?: string } = {}) =>
  createMember(app.ctx, { name: 'Ola', email: `${v7()}@example.org`, ...input });
