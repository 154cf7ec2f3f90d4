import type pg from 'pg';
import { FAMILY, GIVEN, toEmailNames } from '../factories/crowd.ts';

interface CrawlTask {
  locationId: string;
  members: { id: string; name: string; email: string; code: string }[];
  pool: pg.Pool;
  hours: number;
  addresses: number;
  /** The queries to send, instead of all beginnings of names. The crawler waits after it reaches the budget. */
  queries?: string[];
  /** Checks in a member of each lookup, with these tricks in turn. */
  checkInTricks?: Trick[];
}

/**
 * Tricks that might make a lookup not count: checking out at once, reporting the check-in late, checking in as a visitor,
 * staying for a while.
 */
export type Trick = 'at once' | 'late' | 'visitor' | 'stay';
export const TRICKS: Trick[] = ['at once', 'late', 'visitor', 'stay'];

const RETRY_AFTER_MS = 5 * 60_000;
const LONG_VISIT_MS = 31 * 60_000;

export interface Findings {
  requests: number;
  /** Rejected by the rate limit, which ends with time. */
  throttled: number;
  /** Rejected by the daily budget. */
  'used up': number;
  'simulated hours': number;
  'checked in': number;
  /** Disclosed members, as counted by the service. */
  byName: number;
  byAddress: number;
  /** Whole names reconstructed from responses. */
  spelled: number;
  /** Personal data in response bodies. */
  leaks: string[];
}

interface Match {
  handle: string;
  label: string;
  hint: string;
}

type LookupOutcome =
  | { kind: 'found'; matches: Match[] }
  | { kind: 'too many' }
  | { kind: 'used up' }
  | { kind: 'throttled' };

const LETTERS = [...'eanirstolmhkucdbgpfvwzyjxq'];
const CONCURRENCY = 6;
const START = Date.parse('2026-03-18T06:00:00Z');
/** A crawler that stops before it reaches the budget can repeat known queries, which count once. */
const STOP_AT = { address: 26, location: 62 };

/** A patient crawler with a list of common names that knows the documentation. */
export class Crawler {
  readonly #task: CrawlTask;
  readonly #secrets: Set<string>;
  readonly #startedAt = Date.now();
  readonly #blockedUntil: number[];
  readonly #found = new Map<string, { label: string; hint: string; query: string }>();
  readonly #findings: Findings = {
    requests: 0,
    throttled: 0,
    'used up': 0,
    'simulated hours': 0,
    'checked in': 0,
    byName: 0,
    byAddress: 0,
    spelled: 0,
    leaks: [],
  };
  #url = '';
  #advancedMs = 0;
  /** Visits to end later. */
  readonly #openVisits: { token: string; until: number; from: number }[] = [];
  #checkInCount = 0;
  #advancing: Promise<void> = Promise.resolve();
  #nextAddress = 0;

  constructor(task: CrawlTask) {
    this.#task = task;
    this.#blockedUntil = Array.from({ length: task.addresses }, () => 0);
    this.#secrets = new Set(
      task.members.flatMap(({ id, name, email, code }) => [id, name, email, code]),
    );
  }

  /** The clock of the service: the real time plus the skipped waiting time. */
  now = () => new Date(START + this.#elapsedMs());
  #elapsedMs = () => Date.now() - this.#startedAt + this.#advancedMs;
  #isDone = () => this.#elapsedMs() >= this.#task.hours * 3_600_000;

  async run(url: string, onProgress: (findings: Findings) => void): Promise<Findings> {
    this.#url = url;
    const progressTimer = setInterval(() => onProgress(this.#findings), 60_000);
    await this.#runConcurrently(
      this.#generateBeginnings(),
      (query, push) => this.#searchDeeper(query, push),
      this.#task.checkInTricks ? CONCURRENCY : 1,
    );
    await this.#runConcurrently([...this.#found.values()].values(), (known) =>
      this.#spellName(known),
    );
    await this.#runConcurrently(this.#generateGuesses(), (query) => this.#guess(query));
    clearInterval(progressTimer);
    await this.#countDisclosed();
    this.#findings['simulated hours'] = Math.round(this.#elapsedMs() / 360_000) / 10;
    return this.#findings;
  }

  /** Processes items that were found on the way before the rest of the source. */
  async #runConcurrently<T>(
    source: Iterator<T>,
    work: (item: T, push: (more: T) => void) => Promise<void>,
    concurrency = CONCURRENCY,
  ) {
    const queue: T[] = [];
    const push = (more: T) => {
      queue.push(more);
    };
    const worker = async () => {
      while (!this.#isDone()) {
        const item = queue.pop() ?? source.next().value;
        if (item === undefined) return;
        await work(item, push);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  /** All combinations of three letters, the most likely ones first. */
  *#generateBeginnings(): Iterator<string> {
    if (this.#task.queries) return yield* this.#task.queries;
    const names = [...GIVEN, ...FAMILY].filter((name) => /^\p{L}{3}/u.test(name));
    const likely = new Set(names.map((name) => name.slice(0, 3).toLowerCase()));
    yield* likely;
    for (const a of LETTERS) {
      for (const b of LETTERS) {
        for (const c of LETTERS) if (!likely.has(a + b + c)) yield a + b + c;
      }
    }
  }

  #hasEnough = () =>
    !this.#task.checkInTricks &&
    !this.#task.queries &&
    this.#found.size >= Math.min(STOP_AT.address * this.#task.addresses, STOP_AT.location);

  async #searchDeeper(query: string, push: (more: string) => void): Promise<void> {
    if (this.#hasEnough()) return;
    const response = await this.#lookUp(query);
    if (response.kind === 'throttled') return push(query);
    if (response.kind === 'found') {
      for (const { label, hint } of response.matches) {
        const known = `${label} ${hint}`;
        if (!this.#found.has(known)) this.#found.set(known, { label, hint, query });
      }
    }
    if (response.kind !== 'too many') return;
    for (const letter of [...LETTERS].reverse()) {
      push(query + letter);
      if (!query.includes(' ')) push(`${query} ${letter}`);
    }
  }

  /** Reconstructs a family name by repeating the lookup with more and more letters. */
  async #spellName(known: { label: string; hint: string; query: string }): Promise<void> {
    const [given = '', initial = ''] = known.label.toLowerCase().replace('.', '').split(' ');
    let family = initial;
    for (let grown = true; grown && family.length < 20 && !this.#isDone(); ) {
      grown = false;
      for (const letter of LETTERS) {
        const response = await this.#askUntilAnswered(`${given} ${family}${letter}`);
        if (response.kind === 'used up') return;
        const isMatch =
          response.kind === 'found' &&
          response.matches.some(({ label, hint }) => label === known.label && hint === known.hint);
        if (!isMatch) continue;
        family += letter;
        grown = true;
        break;
      }
    }
    if (family.length > 1) this.#findings.spelled += 1;
  }

  /** Email addresses and names in order of frequency, until the day ends. */
  *#generateGuesses(): Iterator<string> {
    for (let sum = 0; ; sum += 1) {
      for (let n = 0; n <= sum; n += 1) {
        const [given, family] = [GIVEN[n % GIVEN.length], FAMILY[(sum - n) % FAMILY.length]];
        const [address] = toEmailNames(given ?? '', family ?? '');
        for (const host of ['gmail.com', 'gmx.de']) yield `${address}@${host}`;
        yield `${given} ${family}`;
      }
    }
  }

  async #guess(query: string): Promise<void> {
    await this.#askUntilAnswered(query);
  }

  async #askUntilAnswered(query: string): Promise<Exclude<LookupOutcome, { kind: 'throttled' }>> {
    for (;;) {
      const response = await this.#lookUp(query);
      if (response.kind !== 'throttled') return response;
      if (this.#isDone()) return { kind: 'used up' };
    }
  }

  async #lookUp(query: string): Promise<LookupOutcome> {
    await this.#checkOutDue();
    const from = await this.#waitForAddress();
    const sentAt = this.#elapsedMs();
    const { status, headers, text } = await this.#post(from, '/public/member-lookup', { query });
    this.#findings.requests += 1;
    if (status === 429 && text.includes('Too many attempts')) {
      this.#findings.throttled += 1;
      this.#blockedUntil[from] = sentAt + Number(headers.get('retry-after')) * 1_000;
      return { kind: 'throttled' };
    }
    if (status === 429) {
      this.#findings['used up'] += 1;
      if (this.#task.queries) this.#blockedUntil[from] = sentAt + RETRY_AFTER_MS;
      return { kind: 'used up' };
    }
    if (status !== 200) throw new Error(`${query}: ${status} ${text}`);
    const { data } = JSON.parse(text);
    if (data.too_many) return { kind: 'too many' };
    if (this.#task.checkInTricks) await this.#checkIn(from, data.matches);
    return { kind: 'found', matches: data.matches };
  }

  /** Checks in one of the found members, so that the lookup might not count. */
  async #checkIn(from: number, matches: Match[]): Promise<void> {
    const checkInCount = this.#task.checkInTricks ?? [];
    const trick = checkInCount[this.#checkInCount++ % checkInCount.length];
    for (const { handle } of matches) {
      const { status, text } = await this.#post(from, '/public/check-ins', {
        handle,
        ...(trick === 'late' ? { occurred_at: new Date(this.now().getTime() - 3_600_000) } : {}),
        ...(trick === 'visitor' ? { visitor: { name: 'Nobody Special' } } : {}),
      });
      this.#findings.requests += 1;
      if (status !== 201) continue;
      this.#findings['checked in'] += 1;
      const { check_out_token: token } = JSON.parse(text).data.check_in;
      this.#openVisits.push({
        token,
        from,
        until: this.#elapsedMs() + (trick === 'stay' ? LONG_VISIT_MS : 0),
      });
      return;
    }
  }

  /** Ends due visits, so that the members can check in again. */
  async #checkOutDue(): Promise<void> {
    const now = this.#elapsedMs();
    for (const { token, from, until } of this.#openVisits.splice(0)) {
      if (until > now) this.#openVisits.push({ token, from, until });
      else {
        await this.#post(from, `/public/check-ins/${token}/check-out`);
        this.#findings.requests += 1;
      }
    }
  }

  async #post(from: number, path: string, body?: object) {
    const response = await fetch(this.#url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${from}` },
      body: JSON.stringify(body ? { location_id: this.#task.locationId, ...body } : {}),
    });
    const text = await response.text();
    if (path.endsWith('lookup')) this.#searchForLeaks(text);
    return { status: response.status, headers: response.headers, text };
  }

  /** Searches for personal data other than a label, a hint and a handle. */
  #searchForLeaks(text: string): void {
    const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const known = strings
      .map((piece) => JSON.parse(piece))
      .find((piece) => this.#secrets.has(piece));
    const pattern = /[\w.+-]+@[\w-]+\.\w+|[0-9a-f]{8}-[0-9a-f]{4}-/.exec(text)?.[0];
    if (known ?? pattern) this.#findings.leaks.push(`${known ?? pattern} in ${text}`);
  }

  /** Returns an address that is not blocked, after advancing the clock if all are. */
  async #waitForAddress(): Promise<number> {
    for (;;) {
      const nextAddress = this.#nextAddress++;
      const order = this.#blockedUntil.map((_, n) => (nextAddress + n) % this.#blockedUntil.length);
      const free = order.find((n) => (this.#blockedUntil[n] ?? 0) <= this.#elapsedMs());
      if (free !== undefined) return free;
      this.#advancing = this.#advancing.then(() => this.#advanceClock());
      await this.#advancing;
    }
  }

  async #advanceClock(): Promise<void> {
    const ms = Math.ceil(Math.min(...this.#blockedUntil) - this.#elapsedMs());
    if (ms <= 0) return;
    this.#advancedMs += ms;
  }

  async #countDisclosed(): Promise<void> {
    const { rows } = await this.#task.pool.query(
      `SELECT count(DISTINCT member_id) FILTER (WHERE NOT exact)::int AS "byName",
         count(DISTINCT member_id) FILTER (WHERE exact)::int AS "byAddress" FROM lookup_handles`,
    );
    Object.assign(this.#findings, rows[0]);
  }
}
