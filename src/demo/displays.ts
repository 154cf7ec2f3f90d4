import { Temporal } from 'temporal-polyfill';
import { createSecret, type Secret } from '../auth/tokens.ts';
import type { Context } from '../context.ts';
import type { DisplayKind } from '../db/generated/enums.ts';
import { STALE_WITHIN_SECONDS } from '../features/displays/rows.ts';
import { recordHeartbeats, type Telemetry } from '../features/displays/service/heartbeats.ts';
import { type RelativeDay, toDate } from './calendar.ts';
import type { DemoSpaces, LocationSlug, ResourceSlug } from './locations.ts';

type DisplayToken = Pick<Secret, 'hash' | 'prefix'>;
export type DisplayTokens = readonly [DisplayToken, ...DisplayToken[]];

type DemoDisplay = {
  name: string;
  kind: DisplayKind;
  location: LocationSlug;
  resource?: ResourceSlug;
  lastSeen: Temporal.DurationLike;
  isLive: boolean;
};

const demoDisplays: readonly DemoDisplay[] = [
  {
    name: 'Atelier door',
    kind: 'room_panel',
    location: 'kreuzberg',
    resource: 'atelier',
    lastSeen: { seconds: 12 },
    isLive: true,
  },
  {
    name: 'Courtyard',
    kind: 'event_board',
    location: 'kreuzberg',
    lastSeen: { seconds: 31 },
    isLive: true,
  },
  {
    name: 'Entrance',
    kind: 'welcome',
    location: 'alfama',
    lastSeen: { seconds: 48 },
    isLive: true,
  },
  {
    name: 'Tejo door',
    kind: 'room_panel',
    location: 'alfama',
    resource: 'tejo',
    lastSeen: { hours: 6, minutes: 20 },
    isLive: false,
  },
  {
    name: 'Front desk kiosk',
    kind: 'kiosk',
    location: 'alfama',
    lastSeen: { seconds: 22 },
    isLive: true,
  },
];

export const createDisplaySecrets = (): readonly [Secret, ...Secret[]] => [
  createSecret('deviceToken'),
  ...demoDisplays.slice(1).map(() => createSecret('deviceToken')),
];

/** `simulateDisplays` keeps these online. The others stay offline. */
const LIVE_DISPLAY_NAMES = demoDisplays.filter(({ isLive }) => isLive).map(({ name }) => name);

/** Adds the displays with these tokens, in the same order. The first one is the door of the Atelier. */
export async function addDisplays(
  ctx: Context,
  spaces: DemoSpaces,
  tokens: DisplayTokens,
): Promise<void> {
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.now().getTime());
  await ctx.db.display.createMany({
    data: demoDisplays.map(({ name, kind, location, resource }, index) => {
      const token = tokens[index];
      if (!token) throw new Error(`No token for the display ${name}`);
      const pairedAt = toDate(now.subtract({ hours: 24 * 90 }));
      return {
        name,
        kind,
        locationId: spaces.locations[location].id,
        resourceId: resource ? spaces.resources[resource].id : null,
        tokenHash: token.hash,
        tokenPrefix: token.prefix,
        createdAt: pairedAt,
        updatedAt: pairedAt,
      };
    }),
  });
  for (const { name, lastSeen } of demoDisplays) {
    const where = { display: { name } };
    const lastSeenAt = now.subtract(lastSeen);
    const onlineSince = toDate(now.subtract({ hours: 50, minutes: 12 }));
    // A trigger records each change of status, so an offline display must have been online before.
    await ctx.db.displayHeartbeat.updateMany({
      where,
      data: { lastSeenAt: toDate(lastSeenAt), status: 'online', statusSince: onlineSince },
    });
    const offlineSince = lastSeenAt.add({ seconds: STALE_WITHIN_SECONDS });
    if (Temporal.Instant.compare(offlineSince, now) < 0) {
      const data = { status: 'offline' as const, statusSince: toDate(offlineSince) };
      await ctx.db.displayHeartbeat.updateMany({ where, data });
    }
  }
}

type DemoAnnouncement = {
  location?: LocationSlug;
  title: string;
  body: string;
  from: RelativeDay;
  until?: RelativeDay;
};

const demoAnnouncements: readonly DemoAnnouncement[] = [
  {
    title: 'Members’ meeting next month',
    body: 'Send us your topics for the agenda.',
    from: { inDays: -5 },
    until: { inDays: 25 },
  },
  {
    location: 'kreuzberg',
    title: 'Lift out of service',
    body: 'Please use the goods lift in the courtyard. The front desk has the key.',
    from: { inDays: -1 },
    until: { inDays: 4 },
  },
  {
    location: 'kreuzberg',
    title: 'Wi-Fi: Foyer-Guest',
    body: 'The password is on the cups.',
    from: { inDays: -200 },
  },
  {
    location: 'alfama',
    title: 'Terrace open until 21:00',
    body: 'Please bring your glasses back inside.',
    from: { inDays: -10 },
  },
  {
    location: 'alfama',
    title: 'Water off on Thursday morning',
    body: 'From 8:00 to 10:00, in the whole street.',
    from: { week: -1, weekday: 1 },
    until: { week: -1, weekday: 5 },
  },
  {
    location: 'alfama',
    title: 'Darkroom reopens',
    body: 'New ventilation, new enlarger. Ask Inês for an introduction.',
    from: { inDays: 10 },
  },
];

export async function addAnnouncements(ctx: Context, spaces: DemoSpaces): Promise<void> {
  await ctx.db.announcement.createMany({
    data: demoAnnouncements.map(({ location, title, body, from, until }) => {
      const { calendar } = spaces.locations[location ?? 'kreuzberg'];
      return {
        locationId: location ? spaces.locations[location].id : null,
        title,
        body,
        startsAt: toDate(calendar.at(from, '00:00')),
        endsAt: until ? toDate(calendar.at(until, '00:00')) : null,
        createdAt: toDate(calendar.at({ inDays: -201 }, '09:00')),
      };
    }),
  });
}

/** Devices send a heartbeat about once a minute. */
const HEARTBEAT_INTERVAL_MS = 30_000;

/** Says in the panel that no device is behind the display. */
const SIMULATED_TELEMETRY: Telemetry = {
  appVersion: 'simulated',
  uptimeSeconds: null,
  batteryPercent: null,
};

/**
 * Keeps displays of the demo online as long as the process runs: nobody has screens on the wall while trying the demo.
 * These heartbeats are simulated. One display gets none, so that the panel also shows an offline one.
 */
export async function simulateDisplays(ctx: Context): Promise<void> {
  const record = async () => {
    const displays = await ctx.db.display.findMany({
      where: { name: { in: LIVE_DISPLAY_NAMES }, revokedAt: null },
      select: { id: true },
    });
    const at = ctx.now();
    const heartbeat = { at: at.getTime(), telemetry: SIMULATED_TELEMETRY };
    await recordHeartbeats(ctx.lockingSql, new Map(displays.map(({ id }) => [id, heartbeat])), at);
  };
  await record();
  setInterval(() => {
    record().catch((error) => ctx.log.warn({ err: error }, 'cannot simulate displays'));
  }, HEARTBEAT_INTERVAL_MS).unref();
}
