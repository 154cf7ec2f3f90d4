import {
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
} from '../factories/check-ins.ts';
import type { TestApp } from '../harness/app.ts';
import type { Command } from './stage.ts';

const asGuest = () => ({});

/** Check-ins and check-outs. */
export const CHECK_IN_COMMANDS: Record<string, Command> = {
  'Mutation.checkIn': {
    records: ['check_in.admitted'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { locationId, code } = await createAdmissionFactories(app).makeTicket();
      return { locationId, code };
    },
  },
  'Mutation.checkIn: with a used ticket': {
    records: ['check_in.rejected'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { locationId, code } = await admit(app);
      return { locationId, code };
    },
  },
  'Mutation.checkIn: by a guest who leaves': {
    records: ['check_in.checked_out'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { locationId, code } = await admit(app);
      return { locationId, code, leaving: true };
    },
  },
  'Mutation.checkIn: by handle, without pairing': {
    records: ['check_in.unconfirmed'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { locationId, handle } = await makeHandle(app);
      return { locationId, handle };
    },
  },
  'Mutation.checkOut: of an unconfirmed visit': {
    records: ['check_in.unconfirmed_ended'],
    as: asGuest,
    prepare: async ({ app }) => ({ token: (await beginUnconfirmedVisit(app)).checkOutToken }),
  },
  'Mutation.confirmVisit': {
    records: ['check_in.admitted'],
    prepare: async ({ app }) => ({ id: (await beginUnconfirmedVisit(app)).id }),
  },
  'POST /public/check-ins': {
    records: ['check_in.admitted'],
    as: asGuest,
    prepare: async ({ app }) => {
      const { locationId, code } = await createAdmissionFactories(app).makePass();
      const data = { hostEmail: 'desk@example.org' };
      await app.ctx.db.location.update({ where: { id: locationId }, data });
      return { location_id: locationId, code };
    },
  },
  'Mutation.checkOut': {
    records: ['check_in.checked_out'],
    as: asGuest,
    prepare: async ({ app }) => ({ token: (await admit(app)).checkIn.checkOutToken }),
  },
  'Mutation.checkOut: by staff': {
    records: ['check_in.checked_out'],
    prepare: async ({ app }) => ({ id: (await admit(app)).checkIn.id }),
  },
  'POST /public/check-ins/{check_out_token}/check-out': {
    records: ['check_in.checked_out'],
    as: asGuest,
    prepare: async ({ app }) => ({ id: (await admit(app)).checkIn.checkOutToken }),
  },
  'POST /public/check-ins/{check_out_token}/check-out: with a token': {
    records: ['check_in.checked_out'],
    prepare: async ({ app }) => ({ id: (await admit(app)).checkIn.id }),
  },
};

/** Checks in the holder of a new ticket. */
async function admit(app: TestApp) {
  const { locationId, code } = await createAdmissionFactories(app).makeTicket();
  const scan: Scanner = createGraphqlScanner(app);
  const { checkIn } = await scan({ locationId, code });
  return { locationId, code, checkIn };
}

async function makeHandle(app: TestApp) {
  const make = createAdmissionFactories(app);
  const { location } = await make.makeSpace();
  const { id } = await make.makeMember();
  return { locationId: location.id, handle: await make.makeHandle(id, location.id) };
}

const beginUnconfirmedVisit = async (app: TestApp) =>
  (await createGraphqlScanner(app)(await makeHandle(app))).checkIn;
