// All rate limits, as data. Each is named for what it counts, and a field of `RateLimits` has the same name. A rule per
// address needs a rule per network that allows at least four times as much. `docs/rate-limits.md` shows the same table. A
// test checks both.

/** The key by which a limit counts. A network is the /24 of an IPv4 address or the /48 of an IPv6 one. */
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
   * With 'requests', each request counts. With 'misses', a request counts while it is in progress, and afterwards only if
   * it was a miss, so that successful callers are not limited.
   */
  counts: 'requests' | 'misses';
  max: number;
  /** How many requests in progress count as one miss. Default 1. */
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

/** Allows `maxMisses`, or `pointsPerMiss` times as many requests in progress. */
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
  // One address gets few guesses at one account, and more at many accounts. All addresses together get more guesses at one
  // account, but still too few to guess a password.
  signIns: [
    clearedBySuccess('address and account', 10),
    requests('address', 50),
    requests('network', 250),
    requests('account', 200),
  ],
  // Strangers do not have this browser's cookie, so they cannot exhaust its attempts.
  knownBrowserSignIns: [clearedBySuccess('browser', 10)],
  passwordChanges: [clearedBySuccess('account', 10)],
  // Each request sends an email, so the limit per account is low for all addresses together.
  signInLinks: [
    requests('address and account', 5),
    requests('address', 30),
    requests('network', 150),
    requests('account', 10),
  ],
  knownBrowserSignInLinks: [requests('browser', 5)],
  passwordResets: [
    requests('address and account', 5),
    requests('address', 30),
    requests('network', 150),
    requests('account', 10),
  ],
  knownBrowserPasswordResets: [requests('browser', 5)],
  orderLinks: [
    requests('address and account', 5),
    requests('address', 30),
    requests('network', 150),
    requests('account', 10),
  ],
  // The account is one order. Each request sends an email to an address of the caller's choice.
  ticketTransfers: [
    requests('address and account', 20),
    requests('address', 60),
    requests('network', 300),
    requests('account', 30),
  ],
  waitlistEntries: [
    requests('address and account', 5),
    requests('address', 100),
    requests('network', 500),
    requests('account', 20),
  ],
  // The account is one entry. Each change locks the event, so that buyers wait for it.
  waitlistChanges: [
    requests('address and account', 10),
    requests('address', 100),
    requests('network', 500),
    requests('account', 30),
  ],
  // The account is one order. Rendering a PDF takes more time than other documents.
  ticketFiles: [requests('address', 240), requests('network', 1_200), requests('account', 60)],
  // Many people can share an address. These limits stop programs.
  staffPasswords: [requests('address', 600), requests('network', 3_000)],
  // Anonymous requests with an Idempotency-Key: each success stores a row.
  keyedWrites: [requests('address', 2_000), requests('network', 10_000)],
  // A person searches for a name a few times. The daily limits make it impractical to guess names letter by letter, which
  // takes dozens of requests per name.
  lookups: [
    requests('address', 300),
    requests('network', 1_500),
    requests('location', 900),
    requests('address', 1_200, DAY),
    requests('network', 6_000, DAY),
    requests('location', 3_600, DAY),
  ],
  // All paired kiosks of a location share these, so that another kiosk does not allow more lookups.
  kioskLookups: [requests('location', 600), requests('location', 7_200, DAY)],
  // Kiosks share addresses, and a whole audience can arrive at once. These limits still prevent guessing one of 27^10 codes.
  checkIns: [
    requests('address', 3_000),
    requests('network', 15_000),
    misses('address', 300, 2),
    misses('network', 1_500, 2),
  ],
  kioskCheckIns: [requests('location', 12_000), misses('location', 600, 2)],
  // Many screens behind one address can start at the same time.
  pairings: [requests('address', 60), requests('network', 300)],
  // A mailing reaches many people, so a stolen key or session must not send one after the other.
  mailings: [requests('caller', 20, 60 * MINUTE)],
  // Codes that create the first owner. There are at most ten of 27^12.
  setupCodes: [misses('address', 10, 2), misses('network', 50, 2)],
  // Each request connects to the mail server.
  testEmails: [requests('caller', 10)],
  // Codes that staff enter.
  pairingCodes: [misses('caller', 10, 2), misses('address', 30, 2), misses('network', 150, 2)],
  discountCodes: [misses('address', 30, 4), misses('network', 150, 4)],
  // Codes of tickets and day passes.
  admissionCodes: [misses('address', 50, 4), misses('network', 250, 4)],
} satisfies Record<string, RateLimitRule[]>;

/** Limits for secrets of 256 bits, which cannot be guessed. They protect the database, and a hit costs no statement. */
export const MISS_LIMITS = {
  // Links and other secrets in requests.
  secrets: [misses('address', 60, 1), misses('network', 600, 1)],
  deviceTokens: [misses('address', 60, 1, MINUTE), misses('network', 600, 1, MINUTE)],
} satisfies Record<string, RateLimitRule[]>;

export const ALL_LIMITS: Record<RateLimitName | MissLimitName, RateLimitRule[]> = {
  ...RATE_LIMITS,
  ...MISS_LIMITS,
};

export type RateLimitName = keyof typeof RATE_LIMITS;
export type MissLimitName = keyof typeof MISS_LIMITS;
