import { type Entry, STAFF_AND_TOKENS } from './who.ts';

export const SUBSCRIPTIONS: Record<string, Entry> = {
  'Subscription.displayStatusChanged': {
    ask: 'subscription { displayStatusChanged(locationId: "none") { at } }',
    scope: 'displays:read',
    may: STAFF_AND_TOKENS,
  },
  'Subscription.occupancyChanged': {
    ask: 'subscription { occupancyChanged(locationId: "none") { present } }',
    scope: 'check-ins:read',
    may: STAFF_AND_TOKENS,
  },
};
