import { toDateColumn } from '../../../src/core/time/calendar-date.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { makeSpace } from './space.ts';

export const PRICE = { amount: 2_500, currency: 'EUR' };

const TYPE = `id name description price { amount currency } location { id name timeZone address }
  dailyCapacity daysAhead active stock { date left closed reason }`;
const LISTED_TYPE = TYPE.replace('stock', 'stock(date: $date)');

/** The operations on day pass types through GraphQL, by default with day-passes:write. */
export async function createDayPassTypeEditor(app: TestApp) {
  const writer = { token: await app.token('day-passes:write') };
  let names = 0;
  const newName = () => {
    names += 1;
    return `Pass no. ${names}`;
  };
  const create = (input: object, as: Credential = writer) =>
    app.graphql(
      `mutation ($input: CreateDayPassTypeInput!) { createDayPassType(input: $input) { dayPassType { ${TYPE} } } }`,
      { input: { name: newName(), price: PRICE, ...input } },
      as,
    );

  return {
    writer,
    newName,
    create,
    /** Creates a day pass type at a new location, open from Monday to Friday. */
    created: async (input: object = {}) => {
      const { location } = await makeSpace(app);
      const { data } = await create({ locationId: location.id, ...input });
      const type = data.createDayPassType.dayPassType;
      return { location, type, id: type.id as string };
    },
    update: (id: string, input: object) =>
      app.graphql(
        `mutation ($input: UpdateDayPassTypeInput!) { updateDayPassType(input: $input) { dayPassType { ${TYPE} } } }`,
        { input: { id, ...input } },
        writer,
      ),
    remove: (id: string) =>
      app.graphql(
        'mutation ($id: ID!) { deleteDayPassType(input: { id: $id }) { deletedDayPassTypeId } }',
        { id },
        writer,
      ),
    list: (variables: object, as: Credential = {}) =>
      app.graphql(
        `query ($locationId: ID, $date: Date, $includeInactive: Boolean) {
          dayPassTypes(locationId: $locationId, includeInactive: $includeInactive) { ${LISTED_TYPE} } }`,
        variables,
        as,
      ),
    /** Pretends that this many passes are reserved for a day. */
    reserve: (typeId: string, date: string, reserved: number, capacity: number | null) =>
      app.ctx.db.dayPassDay.create({
        data: { typeId, date: toDateColumn(date), reservedCount: reserved, capacity },
      }),
  };
}
