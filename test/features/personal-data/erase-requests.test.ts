import {
  createPreferenceLinks,
  unsubscribe,
  updateEmailPreferences,
} from '../../../src/features/email-preferences/service.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { DELETED_PERSON } from '../../../src/integrations/email/outbox.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeEvent, placeOrder } from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import {
  createPersonalDataActions,
  ERASE,
  makeWebhook,
  SUMMARY,
  search,
  toRecord,
} from '../../support/factories/personal-data.ts';
import { NOW } from '../../support/factories/seed.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startStripe, type TestStripe } from '../../support/fakes/stripe.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let stripe: TestStripe;
let manager: Credential;
let personalData: ReturnType<typeof createPersonalDataActions>;

beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
  manager = { cookie: await app.signIn(STAFF.manager) };
  personalData = createPersonalDataActions(app, manager);
  await makeWebhook(app);
});
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

describe('erasing', () => {
  it.each([
    ['nobody', {}],
    ['an address and a name', { email: 'a@example.org', name: 'A' }],
    ['a date without a name', { email: 'a@example.org', date: '2026-03-18' }],
  ])('is rejected for %s', async (_, input) => {
    const { errors } = await personalData.erase(input);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason: 'INVALID_INPUT' });
  });

  it('finds a guest with a name of one word', async () => {
    const { room } = await makeSpace(app);
    const startsAt = NOW;
    const endsAt = new Date(NOW.getTime() + 3_600_000);
    const times = { startsAt, endsAt, occupiedUntil: endsAt };
    const { id } = await app.ctx.db.booking.create({
      data: { resourceId: room.id, locationId: room.locationId, guestName: 'Gundula', ...times },
    });
    const { errors } = await personalData.erase({ name: 'Gundula', endContracts: true });
    expect(errors).toEqual([]);
    const { guestName } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
    expect(guestName).toBe(DELETED_PERSON);
  });

  it('finds visitors and guests without an address by full name and day', async () => {
    const { db } = app.ctx;
    const { location, room } = await makeSpace(app);
    const host = await makeMember(app);
    const visit = (label: string, day: string) =>
      db.checkIn.create({
        data: {
          ...{ locationId: location.id, result: 'admitted', subject: 'visitor', label },
          ...{ hostId: host.id, actor: 'system' },
          occurredAt: new Date(`${day}T09:00:00Z`),
          createdAt: new Date(`${day}T09:00:00Z`),
          autoCheckOutAt: new Date(`${day}T17:00:00Z`),
          checkedOutAt: new Date(`${day}T17:00:00Z`),
        },
      });
    const [first, second, other] = [
      await visit('Vera Visitor', '2026-03-02'),
      await visit('vera visitor ', '2026-03-03'),
      await visit('Vera Visitorova', '2026-03-02'),
    ];
    const booking = await db.booking.create({
      data: {
        ...{ resourceId: room.id, locationId: location.id, guestName: 'Vera Visitor' },
        startsAt: new Date('2026-03-02T09:00:00Z'),
        endsAt: new Date('2026-03-02T10:00:00Z'),
        occupiedUntil: new Date('2026-03-02T10:00:00Z'),
      },
    });
    const labels = async () =>
      (
        await db.checkIn.findMany({ where: { locationId: location.id }, orderBy: { id: 'asc' } })
      ).map(({ label }) => label);
    const found = await personalData.send(SUMMARY, {
      person: { name: 'Vera Visitor', date: '2026-03-02' },
    });
    expect(toRecord(found.counts)).toEqual({ bookings: 1, check_ins: 1 });
    await personalData.send(ERASE, { input: { name: 'Vera Visitor', date: '2026-03-02' } });
    expect([first.label, second.label, other.label]).not.toContain(DELETED_PERSON);
    expect(await labels()).toEqual([DELETED_PERSON, 'vera visitor ', 'Vera Visitorova']);
    expect(await db.booking.findUnique({ where: { id: booking.id } })).toMatchObject({
      guestName: DELETED_PERSON,
    });
    await personalData.send(ERASE, { input: { name: 'vera visitor' } });
    expect(await labels()).toEqual([DELETED_PERSON, DELETED_PERSON, 'Vera Visitorova']);
  });

  it('keeps public texts and reports the ones that name the person', async () => {
    const member = await makeMember(app, { name: 'Wanda Welcome' });
    const { id } = await app.ctx.db.announcement.create({
      data: { title: 'Say hello to Wanda Welcome', startsAt: NOW },
    });
    const { mentions } = await personalData.send(ERASE, { input: { memberId: member.id } });
    expect(mentions).toEqual([{ table: 'announcements', id }]);
  });

  it('reports other addresses of a member, which need their own request', async () => {
    const member = await makeMember(app, { name: 'Paula Private' });
    const event = await makeEvent(app);
    const { id } = await placeOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
      buyer: { name: 'Paula Private', email: 'paula@work.example' },
    });
    await app.ctx.db.order.update({ where: { id }, data: { memberId: member.id } });
    const { otherEmails } = await personalData.send(ERASE, { input: { memberId: member.id } });
    expect(otherEmails).toEqual(['paula@work.example']);
    await personalData.send(ERASE, { input: { email: 'paula@work.example' } });
    expect(await search(app.database, 'paula')).toEqual([]);
  });

  it('removes the opt-outs of a mailbox, also from the journal and webhook messages', async () => {
    const email = 'olga.optout+foyer@example.org';
    const [link] = await createPreferenceLinks(app.ctx, [email], 'mailings');
    const secret = link?.oneClick.split('/').at(-2) ?? '';
    const readChanges = () =>
      app.ctx.db.change.findMany({
        where: { type: { startsWith: 'email_opt_out.' } },
        orderBy: { sequence: 'asc' },
        select: { type: true, before: true, after: true },
      });
    await unsubscribe(app.ctx, secret);
    await updateEmailPreferences(app.ctx, { secret, receivesMailings: true });
    await unsubscribe(app.ctx, secret);
    const optOut = { recipient_key: 'olga.optout@example.org', kind: 'mailings' };
    const created = { type: 'email_opt_out.created', before: null, after: optOut };
    const deleted = { type: 'email_opt_out.deleted', before: optOut, after: null };
    expect(await readChanges()).toEqual([created, deleted, created]);
    await publishRecordedChanges(app.ctx);

    const { erasure } = await personalData.send(ERASE, { input: { email } });
    expect(toRecord(erasure.counts)).toEqual({
      changes: 4,
      email_opt_outs: 1,
      email_preference_links: 1,
      webhook_messages: 2, // not about an opt-out that was deleted before
    });
    expect(await search(app.database, 'olga.optout')).toEqual([]);
    const types = (await readChanges()).map(({ type }) => type);
    expect(types).toEqual([created, deleted, created, deleted].map(({ type }) => type));
  });

  it('succeeds or finds nothing for concurrent requests', async () => {
    const member = await makeMember(app, { name: 'Ramona Race' });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => personalData.erase({ email: member.email })),
    );
    const codes = responses.flatMap((response) => response.codes);
    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });
});
