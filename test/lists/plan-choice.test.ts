import { chooseQueryPlan, findOwner } from '../../src/lists/plan-choice.ts';

describe('the owner of listed rows', () => {
  it.each([
    ['a value', '$1::uuid'],
    ['the id of a parent', 'parent.id'],
    ['a column of another row', 't1.member_id'],
    ['the column of a row with an id', '(SELECT series_id FROM bookings WHERE id = t1.id)'],
  ])('is found if its column equals %s', (_, owner) => {
    expect(findOwner([`listed.member_id = ${owner}`, 'listed.active'])).toEqual({
      where: [`listed.member_id = ANY (ARRAY[${owner}])`, 'listed.active'],
      ownerColumn: 'member_id',
    });
  });

  it.each([
    'listed.member_id = $1::uuid OR listed.team_id = $2::uuid',
    '(listed.member_id = $1::uuid OR listed.team_id = $2::uuid)',
    'listed.member_id = $1::uuid AND listed.active',
    'listed.member_id = parent.id OR parent.id IS NULL',
    'listed.member_id = $1::uuid = listed.active',
    'listed.member_id = ANY ($1::uuid[])',
    'listed.member_id = coalesce($1::uuid, parent.id)',
    'listed.member_id = (SELECT id FROM members WHERE id = $1::uuid) OR (SELECT true)',
    'other.member_id = $1::uuid',
    'NOT listed.member_id = $1::uuid',
  ])('is not found in another condition, which stays as it is: %s', (condition) => {
    const where = [condition, 'listed.active'];
    expect(findOwner(where)).toEqual({ where, ownerColumn: null });
  });

  it('is not found if the rows have two, or if their parent is none', () => {
    const two = ['listed.member_id = $1::uuid', 'listed.location_id = $2::uuid'];
    expect(findOwner(two)).toEqual({ where: two, ownerColumn: null });
    const related = ['listed.order_id IN (SELECT 1)', 'listed.event_id = $1::uuid'];
    expect(findOwner(related, related.slice(0, 1))).toEqual({ where: related, ownerColumn: null });
  });
});

it.each([
  [{}, 'shared'],
  [{ payment: ['unpaid'] }, 'values'],
  [{ payment: ['unpaid', 'paid'] }, 'found first'],
  [{ payment: ['unpaid'], to: new Date(0) }, 'found first'],
  [{ status: ['pending', 'cancelled'] }, 'values'],
])('a list in order is planned by its filter: %j', (filter, plan) => {
  expect(chooseQueryPlan({}, filter, { sortKey: 'CREATED_AT', hasOwner: false })).toBe(plan);
});
