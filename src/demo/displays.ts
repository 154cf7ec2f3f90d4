import { Temporal } from 'temporal-polyfill';
import type { Context } from '../context.ts';
import type { DisplayKind } from '../db/generated/enums.ts';
import { STALE_WITHIN_SECONDS } from '../features/displays/service.ts';
import { type RelativeDay, toDate } from './calendar.ts';
import type { DemoSpaces, LocationSlug, ResourceSlug } from './locations.ts';

type DisplayToken = { hash: Uint8Array<ArrayBuffer>; prefix: string };
export type DisplayTokens = readonly [DisplayToken, DisplayToken, DisplayToken, DisplayToken];

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
    name: 'Yard',
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
];

/** The demo keeps these online, see simulate-displays.ts. The others stay offline. */
export const LIVE_DISPLAY_NAMES = demoDisplays
  .filter(({ isLive }) => isLive)
  .map(({ name }) => name);

/** Each display gets the token at its own position: the first is the Atelier's door. */
export async function addDisplays(
  ctx: Context,
  places: DemoSpaces,
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
        locationId: places.locations[location].id,
        resourceId: resource ? places.resources[resource].id : null,
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
    // A trigger records each change of the status, so a silent display goes online first.
    await ctx.db.displayHeartbeat.updateMany({
      where,
      data: { lastSeenAt: toDate(lastSeenAt), status: 'online', statusSince: onlineSince },
    });
    const silentAt = lastSeenAt.add({ seconds: STALE_WITHIN_SECONDS });
    if (Temporal.Instant.compare(silentAt, now) < 0) {
      const data = { status: 'offline' as const, statusSince: toDate(silentAt) };
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
    title: 'Members’ assembly next month',
    body: 'Send us what should be on the agenda.',
    from: { inDays: -5 },
    until: { inDays: 25 },
  },
  {
    location: 'kreuzberg',
    title: 'The lift is being repaired',
    body: 'Use the goods lift in the yard; the front desk has the key.',
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
    title: 'The terrace is open until nine',
    body: 'Please bring the glasses back in.',
    from: { inDays: -10 },
  },
  {
    location: 'alfama',
    title: 'Water off on Thursday morning',
    body: 'From eight to ten, in the whole street.',
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

export async function addAnnouncements(ctx: Context, places: DemoSpaces): Promise<void> {
  await ctx.db.announcement.createMany({
    data: demoAnnouncements.map(({ location, title, body, from, until }) => {
      const { calendar } = places.locations[location ?? 'kreuzberg'];
      return {
        locationId: location ? places.locations[location].id : null,
        title,
        body,
        startsAt: toDate(calendar.at(from, '00:00')),
        endsAt: until ? toDate(calendar.at(until, '00:00')) : null,
        createdAt: toDate(calendar.at({ inDays: -201 }, '09:00')),
      };
    }),
  });
}
