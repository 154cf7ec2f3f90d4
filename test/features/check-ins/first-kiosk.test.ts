import {
  createDisplay,
  updateDisplay,
} from '../../../src/features/displays/service/manage-displays.ts';
import {
  createAdmissionFactories,
  createGraphqlScanner,
} from '../../support/factories/check-ins.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
});
afterAll(() => app.stop());

describe('the first paired kiosk of a location', () => {
  it('leaves handles to kiosks and staff, and staff can set it back for good', async () => {
    const { location } = await make.makeSpace();
    const member = await make.makeMember();
    const readAccess = async () =>
      (await app.ctx.db.location.findUniqueOrThrow({ where: { id: location.id } })).lookupAccess;
    const addKiosk = (kind: 'kiosk' | 'welcome') =>
      createDisplay(app.ctx, { name: kind, kind, locationId: location.id });
    const { display } = await addKiosk('welcome');
    expect(await readAccess()).toBeNull();
    await addKiosk('kiosk');
    expect(await readAccess()).toBe('kiosks');
    expect(
      await app.ctx.db.change.count({
        where: { subjectId: location.id, type: 'location.updated' },
      }),
    ).toBe(1);
    for (const handle of [await make.makeHandle(member.id, location.id), 'foyerh_unknown']) {
      for (const more of [{}, { leaving: true }, { visitor: { name: 'Max Muster' } }]) {
        const { error } = await createGraphqlScanner(app)({
          locationId: location.id,
          handle,
          ...more,
        });
        expect(error).toMatchObject({ code: 'VALIDATION', reason: 'KIOSK_NEEDED' });
      }
    }
    expect(
      (await createGraphqlScanner(app)({ locationId: location.id, code: member.code })).checkIn
        .result,
    ).toBe('admitted');
    await app.ctx.db.location.update({
      where: { id: location.id },
      data: { lookupAccess: 'public' },
    });
    await addKiosk('kiosk');
    await updateDisplay(app.ctx, display.id, { kind: 'kiosk' });
    expect(await readAccess()).toBe('public');
  });
});
