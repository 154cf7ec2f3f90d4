import { displayActions } from '../../src/features/displays/allowed-actions.ts';
import { API_TOKENS, DISPLAYS, STAFF_USERS } from '../support/allowed-actions/access.ts';
import { BOOKING_PAYMENTS, DAILY_CLOSINGS } from '../support/allowed-actions/booking-payments.ts';
import {
  type ActionsCase,
  findWrongActions,
  signInViewers,
} from '../support/allowed-actions/compare.ts';
import { EVENTS, TICKET_TYPES } from '../support/allowed-actions/events.ts';
import { MEMBERS } from '../support/allowed-actions/members.ts';
import { DELIVERIES, MAILINGS, WEBHOOKS } from '../support/allowed-actions/messages.ts';
import { ORDERS, REFUNDS } from '../support/allowed-actions/orders.ts';
import {
  DISCOUNT_CODES,
  MEMBERSHIPS,
  OWN_WAITLIST_ENTRIES,
} from '../support/allowed-actions/sales.ts';
import type { Credential } from '../support/clients/api.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';

let app: TestApp;
let viewers: Record<string, Credential>;

beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { PAYMENTS: 'sandbox' } });
  await makeSpace(app);
  viewers = await signInViewers(app);
});
afterAll(() => app.stop());

const OWN_ACCOUNT = '{ staff(filter: { role: [OWNER] }) { nodes { id } } }';
const OWN_ACTIONS = `query ($id: ID!) { node(id: $id) { ... on StaffUser {
  allowedActions { setRole disable resetPassword } } } }`;

const CASES = [
  EVENTS,
  TICKET_TYPES,
  ORDERS,
  REFUNDS,
  BOOKING_PAYMENTS,
  DAILY_CLOSINGS,
  STAFF_USERS,
  DISPLAYS,
  API_TOKENS,
  WEBHOOKS,
  DELIVERIES,
  MAILINGS,
  DISCOUNT_CODES,
  MEMBERS,
  MEMBERSHIPS,
  OWN_WAITLIST_ENTRIES,
];

describe('the actions of owners on their own account', () => {
  it('change with the last owner', async () => {
    const { data } = await app.graphql(OWN_ACCOUNT, {}, viewers.owner);
    const [{ id }] = data.staff.nodes;
    const readOwn = async () =>
      (await app.graphql(OWN_ACTIONS, { id }, viewers.owner)).data.node.allowedActions;
    const demote =
      'mutation ($id: ID!) { setStaffRole(input: { id: $id, role: MANAGER }) { __typename } }';
    expect(await readOwn()).toEqual({ setRole: false, disable: false, resetPassword: false });
    const demoted = await app.graphql(demote, { id }, viewers.owner);
    expect(demoted.errors[0]?.extensions.reason).toBe('LAST_OWNER');
    await createStaffUser(app, 'owner');
    expect(await readOwn()).toEqual({ setRole: true, disable: false, resetPassword: false });
  });
});

const CHANGES_IN_TURN = `mutation ($id: ID!) {
  update: updateDisplay(input: { id: $id, name: "Entrance" }) { display { allowedActions { revoke } } }
  revoke: revokeDisplay(input: { id: $id }) { display { allowedActions { revoke } } } }`;

it('returns the actions after each mutation of a document', async () => {
  const id = await DISPLAYS.states.active?.(app);
  const { data } = await app.graphql(CHANGES_IN_TURN, { id }, viewers.owner);
  expect(data.update.display.allowedActions).toEqual({ revoke: true });
  expect(data.revoke.display.allowedActions).toEqual({ revoke: false });
});

it('returns no actions for an object that was deleted after it was read', async () => {
  const id = (await DISPLAYS.states.active?.(app)) ?? '';
  const { findByIds } = displayActions;
  const findAfterDeletion: typeof findByIds = async (ctx, ids) => {
    await app.ctx.db.display.delete({ where: { id } });
    return findByIds(ctx, ids);
  };
  displayActions.findByIds = findAfterDeletion;
  const { data, errors } = await app.graphql(
    'mutation ($id: ID!) { updateDisplay(input: { id: $id, name: "Hall" }) { display { allowedActions { update } } } }',
    { id },
    viewers.owner,
  );
  displayActions.findByIds = findByIds;
  expect(errors).toEqual([]);
  expect(data.updateDisplay.display.allowedActions).toEqual({ update: false });
});

/** The most privileged viewer, and for two states one more. */
function selectViewers(
  state: string,
  { states, dependsOnOwner, hasSecret }: ActionsCase,
): [string, Credential][] {
  if (hasSecret) return [['anonymous', {}]];
  const [first, ...others] = Object.entries(viewers).filter(
    ([viewer]) => viewer !== 'owner' || dependsOnOwner,
  );
  const hasOthers = takeSample(Object.keys(states), 2).includes(state);
  return [...(first ? [first] : []), ...(hasOthers ? takeSample(others, 1) : [])];
}

describe.each(CASES.map((one) => [one.type, one] as const))(
  'the actions of the type %s',
  (_, one) => {
    it.each(Object.keys(one.states))('are those that succeed: %s', async (state) => {
      const wrong: Record<string, string[]> = {};
      for (const [viewer, as] of selectViewers(state, one)) {
        const found = await findWrongActions(app, as, state, one);
        if (found.wrong.length > 0) wrong[viewer] = found.wrong;
      }
      expect(wrong).toEqual({});
    });
  },
);
