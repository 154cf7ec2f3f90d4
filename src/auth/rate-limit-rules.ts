// Every rate limit, as data: `docs/rate-limits.md` shows the same table, and a test compares the two.

/** What one counter belongs to. A network is the /24 of an IPv4 address or the /48 of an IPv6 one. */
type Subject =
  | 'address'
  | 'network'
  | 'account'
  | 'address and account'
  | 'browser'
  | 'location'
  | 'caller';

export interface RateLimitRule {
  per: Subject;
  /**
   * Requests: each one counts. Misses: each one counts while it is under way, and after that only if it was a miss, so
   * that callers who succeed are not limited.
   */
  counts: 'requests' | 'misses';
  max: number;
  /** How many requests that are under way weigh as much as one miss; 1 if left out. */
  pointsPerMiss?: number;
  windowSeconds: number;
  /** A success clears the whole counter. */
  isClearedBySuccess?: true;
}

const MINUTE = 60;
const QUARTER_HOUR = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;

const requests = (per: Subject, max: number, windowSeconds = QUARTER_HOUR): RateLimitRule => ({
  per,
  counts: 'requests',
  max,
  windowSeconds,
});

const clearedBySuccess = (per: Subject, max: number): RateLimitRule => ({
  ...requests(per, max),
  isClearedBySuccess: true,
});

/** So many misses, or so many times more requests at once. */
const misses = (
  per: Subject,
  maxMisses: number,
  pointsPerMiss: number,
  windowSeconds = QUARTER_HOUR,
): RateLimitRule => ({
  per,
  counts: 'misses',
  max: maxMisses * pointsPerMiss,
  pointsPerMiss,
  windowSeconds,
});

export const RATE_LIMITS = {
  // Few guesses at an account from one address, more from one address at many accounts. An account as a whole bears many
  // more, and yet few enough for a password to hold.
  'sign-in': [
    clearedBySuccess('address and account', 10),
    requests('address', 50),
    requests('network', 250),
    requests('account', 200),
  ],
  // Strangers do not have this browser, so they cannot use its attempts up.
  'sign-in-known-browser': [clearedBySuccess('browser', 10)],
  'change-password': [clearedBySuccess('account', 10)],
  // Each sends a mail: an account bears few because they arrive in somebody's mailbox, whoever asks for them.
  'sign-in-link': [
    requests('address and account', 5),
    requests('address', 30),
    requests('network', 150),
    requests('account', 10),
  ],
  'sign-in-link-known-browser': [requests('browser', 5)],
  'order-link': [
    requests('address and account', 5),
    requests('address', 30),
    requests('network', 150),
    requests('account', 10),
  ],
  // Of one order: each sends a mail to whatever address is named.
  'ticket-transfer': [
    requests('address and account', 20),
    requests('address', 60),
    requests('network', 300),
    requests('account', 30),
  ],
  'waiting-list': [
    requests('address and account', 5),
    requests('address', 100),
    requests('network', 500),
    requests('account', 20),
  ],
  // Many people may share an address; this stops programs.
  'public-write': [requests('address', 600), requests('network', 3_000)],
  'idempotency-key': [requests('address', 2_000), requests('network', 10_000)],
  // Somebody looks for a name a few times. By the day it is so few that names can hardly be spelt out letter by letter,
  // which takes dozens of requests each.
  'member-lookup': [
    requests('address', 300),
    requests('network', 1_500),
    requests('location', 900),
    requests('address', 1_200, DAY),
    requests('network', 6_000, DAY),
    requests('location', 3_600, DAY),
  ],
  // All paired kiosks of a location share these, so that another kiosk is no more lookups.
  'member-lookup-kiosk': [requests('location', 600), requests('location', 7_200, DAY)],
  // Kiosks share addresses, and whole audiences come at once. Nobody guesses one of 27^10 codes like that.
  'check-in': [
    requests('address', 3_000),
    requests('network', 15_000),
    misses('address', 300, 2),
    misses('network', 1_500, 2),
  ],
  'check-in-kiosk': [requests('location', 12_000), misses('location', 600, 2)],
  // A wall of screens is switched on behind one address.
  pairing: [requests('address', 60), requests('network', 300)],
  'pairing-code': [misses('caller', 10, 2), misses('address', 30, 2), misses('network', 150, 2)],
  'discount-code': [misses('address', 30, 4), misses('network', 150, 4)],
  'admission-code': [misses('address', 50, 4), misses('network', 250, 4)],
  // Secrets have 256 bits: these limits spare the database, and nobody waits for long.
  secret: [misses('address', 60, 1), misses('network', 600, 1)],
  'device-token': [misses('address', 60, 1, MINUTE), misses('network', 600, 1, MINUTE)],
} satisfies Record<string, RateLimitRule[]>;

export type RateLimitName = keyof typeof RATE_LIMITS;
