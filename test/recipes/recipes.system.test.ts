import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { publishRecordedChanges } from '../../src/features/webhooks/service/publish-changes.ts';
import { deliverWebhooks } from '../../src/integrations/webhooks/delivery-worker.ts';
import { findChromium, launch } from '../e2e/chromium.ts';
import { makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { transport } from '../support/factories/webhooks.ts';
import { startInterruptibleProxy } from '../support/fakes/tcp-proxy.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { findFreePort } from '../support/harness/free-port.ts';
import { hangUp, isInstalled, reportMissing, startRecipe, stopRecipes } from './run-recipe.ts';

// The recipes of the documentation, as their readers run them: programs of their own that use the APIs.

let app: TestApp;
let folder: string;
/** Serves the files of the recipes and the installed client, as a website or a device does. */
let website: Server;
let origin: string;
let token: string;

beforeAll(async () => {
  website = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://website');
    response.setHeader('Content-Type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html');
    const folder = pathname.startsWith('/node_modules/') ? '.' : 'docs/recipes';
    response.end(await readFile(`${folder}${pathname}`).catch(() => ''));
  }).listen(0, '127.0.0.1');
  await once(website, 'listening');
  origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
  app = await startApp({ content: 'empty', config: { CORS_ORIGINS: origin } });
  app.clock.now = new Date(); // that of the recipes
  token = await app.token('spaces:read', 'bookings:write');
  folder = await mkdtemp(join(tmpdir(), 'foyer-recipes-'));
});
afterAll(async () => {
  await stopRecipes();
  website.closeAllConnections();
  website.close();
  await app.stop();
  await rm(folder, { recursive: true });
});

describe('the wall display', () => {
  const chromium = findChromium();
  const MINUTE_MS = 60_000;

  it('shows what is new, polls with the ETag, and keeps its content without a network', async () => {
    if (chromium === undefined) return reportMissing('Chromium', 'the wall display');
    const { location } = await makeSpace(app);
    const owner = { token: await app.token('*') };
    const announce = async (title: string) => {
      app.clock.now = new Date();
      const { errors } = await app.graphql(
        'mutation ($input: CreateAnnouncementInput!) { createAnnouncement(input: $input) { __typename } }',
        { input: { title, locationId: location.id } },
        owner,
      );
      expect(errors).toEqual([]);
    };
    const { display, deviceToken } = await app.display({
      ...{ name: 'Hall', kind: 'event_board', locationId: location.id },
    });
    await announce('Fire drill at ten');
    const browser = await launch(chromium);
    try {
      const page = await browser.newPage();
      await page.clock.install();
      await page.goto(`${origin}/display.html#${app.url},${deviceToken}`);
      await page.getByRole('heading', { name: location.name }).waitFor();
      await page.getByText('Fire drill at ten').waitFor();
      const unchanged = page.waitForResponse((response) => response.status() === 304);
      await page.clock.fastForward(10 * MINUTE_MS);
      await unchanged;
      await page.context().setOffline(true);
      const failed = page.waitForEvent('requestfailed');
      await page.clock.fastForward(10 * MINUTE_MS);
      await failed;
      await page.getByText('Fire drill at ten').waitFor();
      await page.context().setOffline(false);
      await announce('All clear');
      await page.clock.fastForward(10 * MINUTE_MS);
      await page.getByText('All clear').waitFor();
      const heartbeats = await app.ctx.db.displayHeartbeat.findMany();
      expect(heartbeats.map(({ displayId }) => displayId)).toEqual([display.id]);
      const revoke =
        'mutation ($input: RevokeDisplayInput!) { revokeDisplay(input: $input) { __typename } }';
      const { errors } = await app.graphql(revoke, { input: { id: display.id } }, owner);
      expect(errors).toEqual([]);
      await page.clock.fastForward(10 * MINUTE_MS);
      await page.getByText('Unauthenticated.').waitFor();
      expect(await page.getByText('All clear').count()).toBe(0);
    } finally {
      await browser.close();
    }
  });
});

describe('the booking form', () => {
  const RESERVED = { name: 'Ida Blum', email: 'ida@example.org' };
  let url: string;

  beforeAll(async () => {
    const location = await app.ctx.db.location.create({
      data: { slug: 'always-open', name: 'House', timeZone: 'Europe/Berlin' },
    });
    const desk = {
      locationId: location.id,
      slug: 'desk-1',
      name: 'Desk <1>',
      type: 'desk',
    } as const;
    await app.ctx.db.resource.create({ data: { ...desk, hourlyAmount: 500 } });
    const PORT = String(await findFreePort());
    const form = startRecipe('node', ['docs/recipes/booking-form.mjs'], {
      ...{ FOYER: app.url, TOKEN: token, PORT },
    });
    await form.printed('listening');
    await hangUp(Number(PORT));
    url = `http://127.0.0.1:${PORT}`;
  });

  const open = async (path: string, fields?: Record<string, string>) => {
    const response = await fetch(url + path, {
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  /** The values of the inputs and the first option of a page. */
  const readFields = (page: string) => {
    const named = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)];
    const slot = /<option value="([^"]*)"/.exec(page)?.[1];
    return {
      ...Object.fromEntries(named.map(([, name, value]) => [name, value])),
      ...(slot && { slot }),
    } as Record<string, string>;
  };
  const choose = async (): Promise<Record<string, string>> => ({
    ...RESERVED,
    ...readFields(await open('/')),
  });

  it('shows the price, books once however often it is sent, and escapes names', async () => {
    const first = await open('/');
    expect(first).toContain('label="Desk &#60;1&#62;"');
    const preview = await open('/preview', { ...RESERVED, ...readFields(first) });
    expect(preview).toContain('€5.00');
    const fields = readFields(preview);
    const booked = await Promise.all([open('/book', fields), open('/book', fields)]);
    for (const page of booked) expect(page).toMatch(/Booked: Desk &#60;1&#62;.*€5\.00/);
    expect(await app.ctx.db.booking.count({ where: { guestEmail: RESERVED.email } })).toBe(1);
  });

  it('offers other slots if the chosen one was booked before or after the preview', async () => {
    const fields = await choose();
    const mine = readFields(await open('/preview', fields));
    const other = { name: 'Gil', email: 'gil@example.org' };
    await open('/book', readFields(await open('/preview', { ...fields, ...other })));
    const preview = await open('/preview', fields);
    const booked = await open('/book', mine);
    for (const page of [preview, booked]) {
      expect(page).toContain('role="alert"');
      const slot = readFields(page).slot ?? '';
      expect([slot === '', slot === fields.slot]).toEqual([false, false]);
      expect(await open('/preview', readFields(page))).toContain('€5.00');
    }
  });

  it('says what is wrong with fields that nobody can book with', async () => {
    const fields = await choose();
    expect(await open('/preview', { ...fields, email: 'nobody' })).toContain('role="alert"');
  });
});

describe('the door controller', () => {
  it('opens for people whom Foyer checks in, and for nobody else', async () => {
    const { door, scan, member, paused } = await startDoor();
    await scan(member.code, 'admitted');
    await scan(member.code, 'already_in');
    await scan(paused.code, 'membership_inactive');
    await scan('NOBODY', 'not_found');
    expect(door.lines.filter((line) => line === 'open')).toHaveLength(2);
    expect(door.lines.join('\n')).not.toContain(member.code);
  });

  it('stays closed without a network', async () => {
    const { door, network, scan, member } = await startDoor();
    await scan(member.code, 'admitted');
    network.refuse();
    await scan(member.code, 'offline');
    expect(door.lines.filter((line) => line === 'open')).toHaveLength(1);
  });

  it('opens without a network for people who were admitted before, and uploads their scans once', async () => {
    const { door, network, scan, member, paused, location } = await startDoor({
      OFFLINE_HOURS: '12',
    });
    await scan(member.code, 'admitted');
    await scan(paused.code, 'membership_inactive');
    network.refuse();
    await scan(member.code, 'offline_admitted');
    await scan(paused.code, 'offline');
    await scan('NOBODY', 'offline');
    expect(door.lines.filter((line) => line === 'open')).toHaveLength(2);
    network.accept();
    await scan('NOBODY', 'not_found');
    await door.printed('uploaded: already_in');
    await scan('NOBODY', 'not_found', 2);
    const where = { locationId: location.id, memberId: member.id };
    expect(await app.ctx.db.checkIn.count({ where })).toBe(2);
    expect(door.lines.filter((line) => line.includes('uploaded'))).toHaveLength(1);
  });

  /** A door with its own location, kiosk and network. */
  async function startDoor(env: NodeJS.ProcessEnv = {}) {
    const { location } = await makeSpace(app);
    const { deviceToken } = await app.display({
      name: 'Door',
      kind: 'kiosk',
      locationId: location.id,
    });
    const network = await startInterruptibleProxy(new URL(app.url));
    const [member, paused] = await Promise.all([
      makeMember(app),
      makeMember(app, { status: 'paused' }),
    ]);
    const door = startRecipe('node', ['docs/recipes/door.mjs'], {
      FOYER: network.url.replace(/\/$/, ''),
      DEVICE: deviceToken,
      FILE: join(folder, `${location.id}.json`),
      TIMEOUT_MS: '60000', // for slow or busy machines
      ...env,
    });
    /** Scans a code and waits for the line with the result. */
    const scan = async (code: string, result: string, times = 1) => {
      door.type(code);
      await door.printed(` ${result} …${code.slice(-3)}`, times);
    };
    return { door, network, scan, location, member, paused };
  }
});

const RECEIVERS = [
  { program: 'node', args: () => ['docs/recipes/webhooks/receiver.mjs'] },
  { program: 'python3', args: () => ['docs/recipes/webhooks/receiver.py'] },
  {
    program: 'php',
    args: (port: number) => ['-S', `127.0.0.1:${port}`, 'docs/recipes/webhooks/receiver.php'],
  },
  { program: 'go', args: () => ['run', 'docs/recipes/webhooks/receiver.go'] },
];

describe('the receivers of webhooks', () => {
  it('are written in languages that this machine has, or it says which it lacks', () => {
    for (const { program } of RECEIVERS)
      if (!isInstalled(program)) reportMissing(program, `the receiver of webhooks in ${program}`);
    expect(RECEIVERS.filter(({ program }) => isInstalled(program)).length).toBeGreaterThan(0);
  });

  it.each(RECEIVERS.filter(({ program }) => isInstalled(program)))(
    'in $program applies what Foyer sends, once and in order, and rejects what others send',
    async ({ program, args }) => {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/`;
      const owner = { token: await app.token('*') };
      const run = async (field: string, type: string, input: object, selection: string) => {
        const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;
        const { data, errors } = await app.graphql(query, { input }, owner);
        expect(errors).toEqual([]);
        return data[field];
      };
      const { secret, webhook } = await run(
        'createWebhook',
        'CreateWebhookInput',
        { url, events: ['team.*'] },
        'secret webhook { id }',
      );
      const receiver = startRecipe(program, args(port), {
        SECRET: secret,
        PORT: String(port),
        STATE: join(folder, `${program}.json`),
      });
      await receiver.printed(program === 'php' ? 'started' : 'listening');
      await hangUp(port); // it serves everyone else as before
      const deliver = async () => {
        await publishRecordedChanges(app.ctx);
        await deliverWebhooks(app.app.systemContext, transport);
      };

      const { team } = await run(
        'createTeam',
        'CreateTeamInput',
        { name: `Ink ${program}` },
        'team { id }',
      );
      await deliver();
      await receiver.printed(`applied team.created ${team.id}`);
      // With two signatures, of which the receiver knows the second.
      await run(
        'rotateWebhookSecret',
        'RotateWebhookSecretInput',
        { id: webhook.id, overlapHours: 24 },
        '__typename',
      );
      await run(
        'updateTeam',
        'UpdateTeamInput',
        { id: team.id, name: `Print ${program}` },
        '__typename',
      );
      await deliver();
      await receiver.printed(`applied team.updated ${team.id}`);
      const [sent] = await app.ctx.db.webhookDelivery.findMany({
        where: { endpointId: webhook.id, message: { type: 'team.updated' } },
      });
      await run('replayDelivery', 'ReplayDeliveryInput', { id: sent?.id }, '__typename');
      await deliver();
      await receiver.printed('repeated');

      const send = async (
        position: number,
        key = secret,
        at = new Date(),
        change = (body: string) => body,
      ) => {
        const id = `msg_${position}`;
        const body = JSON.stringify({
          type: 'team.updated',
          data: { change: { subject_key: team.id, position } },
        });
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(key).sign(id, at, body),
        };
        return (await fetch(url, { method: 'POST', headers, body: change(body) })).status;
      };
      expect(await send(1)).toBe(204);
      await receiver.printed(`outdated team.updated ${team.id} 1`);
      const later = 1_000_000;
      expect(await send(later, `whsec_${btoa('another secret of Foyer')}`)).toBe(401);
      expect(await send(later, secret, new Date(Date.now() - 600_000))).toBe(401);
      expect(await send(later, secret, new Date(Date.now() + 600_000))).toBe(401);
      expect(
        await send(later, secret, new Date(), (body) => body.replace('updated', 'deleted')),
      ).toBe(401);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      expect(await send(later)).toBe(204);
      await receiver.printed(`applied team.updated ${team.id} ${later}`);
      expect(receiver.lines.filter((line) => line.startsWith('applied'))).toHaveLength(3);
      await receiver.stop();
    },
  );
});
