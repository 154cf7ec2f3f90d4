import type pg from 'pg';
import { addressesOf, FAMILY, GIVEN } from './crowd.ts';

interface Task {
  locationId: string;
  members: { id: string; name: string; email: string; code: string }[];
  pool: pg.Pool;
  hours: number;
  addresses: number;
  /** What it asks for, rather than for all beginnings there are; where it is told no more it waits a while. */
  book?: string[];
  /** Has somebody of each lookup come in, in one of these ways in turn. */
  checksIn?: Trick[];
}

/**
 * What may make a lookup count for nothing: to come and go at once; to say that it was a while ago; to come as somebody's
 * visitor; to stay a while.
 */
export type Trick = 'at once' | 'late' | 'visitor' | 'stay';
export const TRICKS: Trick[] = ['at once', 'late', 'visitor', 'stay'];

const A_WHILE_MS = 5 * 60_000;
const STAYS_MS = 31 * 60_000;

export interface Findings {
  requests: number;
  /** For asking too often, which passes by waiting. */
  throttled: number;
  /** For having been told too much. */
  'used up': number;
  'hours gone by': number;
  'let in': number;
  /** Members told, by the service's own count of whom it named. */
  byName: number;
  byAddress: number;
  /** Whole names that were put together from what was told and how often. */
  spelt: number;
  /** What no body may hold. */
  leaks: string[];
}

interface Match {
  handle: string;
  label: string;
  hint: string;
}

type Answer =
  | { kind: 'told'; matches: Match[] }
  | { kind: 'too many' }
  | { kind: 'used up' }
  | { kind: 'not now' };

const LETTERS = [...'eanirstolmhkucdbgpfvwzyjxq'];
const LANES = 6;
const BEGIN = Date.parse('2026-03-18T06:00:00Z');
/** Who stops before the service does may go on asking after those that were told, for nothing. */
const STOP_AT = { address: 26, location: 62 };

/** Somebody with a list of common names, patience, and the documentation. */
export class Crawler {
  readonly #task: Task;
  readonly #secrets: Set<string>;
  readonly #begun = Date.now();
  readonly #waits: number[];
  readonly #known = new Map<string, { label: string; hint: string; query: string }>();
  readonly #findings: Findings = {
    requests: 0,
    throttled: 0,
    'used up': 0,
    'hours gone by': 0,
    'let in': 0,
    byName: 0,
    byAddress: 0,
    spelt: 0,
    leaks: [],
  };
  #url = '';
  #turned = 0;
  /** Of those who stay. */
  readonly #staying: { token: string; until: number; from: number }[] = [];
  #tricks = 0;
  #turning: Promise<void> = Promise.resolve();
  #turn = 0;

  constructor(task: Task) {
    this.#task = task;
    this.#waits = Array.from({ length: task.addresses }, () => 0);
    this.#secrets = new Set(
      task.members.flatMap(({ id, name, email, code }) => [id, name, email, code]),
    );
  }

  /** The service's clock: the real one, and what was waited. */
  now = () => new Date(BEGIN + this.#elapsed());
  #elapsed = () => Date.now() - this.#begun + this.#turned;
  #isOver = () => this.#elapsed() >= this.#task.hours * 3_600_000;

  async run(url: string, onProgress: (findings: Findings) => void): Promise<Findings> {
    this.#url = url;
    const told = setInterval(() => onProgress(this.#findings), 60_000);
    await this.#lanes(
      this.#beginnings(),
      (query, push) => this.#drill(query, push),
      this.#task.checksIn ? LANES : 1,
    );
    await this.#lanes([...this.#known.values()].values(), (known) => this.#spell(known));
    await this.#lanes(this.#guesses(), (query) => this.#guess(query));
    clearInterval(told);
    await this.#count();
    this.#findings['hours gone by'] = Math.round(this.#elapsed() / 360_000) / 10;
    return this.#findings;
  }

  /** What is found on the way comes before what is left. */
  async #lanes<T>(
    source: Iterator<T>,
    work: (item: T, push: (more: T) => void) => Promise<void>,
    lanes = LANES,
  ) {
    const found: T[] = [];
    const push = (more: T) => {
      found.push(more);
    };
    const lane = async () => {
      while (!this.#isOver()) {
        const item = found.pop() ?? source.next().value;
        if (item === undefined) return;
        await work(item, push);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Three letters of every kind, the likeliest first, then rare ones of the whole alphabet. */
  *#beginnings(): Iterator<string> {
    if (this.#task.book) return yield* this.#task.book;
    const names = [...GIVEN, ...FAMILY].filter((name) => /^\p{L}{3}/u.test(name));
    const likely = new Set(names.map((name) => name.slice(0, 3).toLowerCase()));
    yield* likely;
    for (const a of LETTERS) {
      for (const b of LETTERS) {
        for (const c of LETTERS) if (!likely.has(a + b + c)) yield a + b + c;
      }
    }
  }

  #enough = () =>
    !this.#task.checksIn &&
    !this.#task.book &&
    this.#known.size >= Math.min(STOP_AT.address * this.#task.addresses, STOP_AT.location);

  async #drill(query: string, push: (more: string) => void): Promise<void> {
    if (this.#enough()) return;
    const answer = await this.#ask(query);
    if (answer.kind === 'not now') return push(query);
    if (answer.kind === 'told') {
      for (const { label, hint } of answer.matches) {
        const known = `${label} ${hint}`;
        if (!this.#known.has(known)) this.#known.set(known, { label, hint, query });
      }
    }
    if (answer.kind !== 'too many') return;
    for (const letter of [...LETTERS].reverse()) {
      push(query + letter);
      if (!query.includes(' ')) push(`${query} ${letter}`);
    }
  }

  /** Lets one who was told be told again by ever more letters of the family name. */
  async #spell(known: { label: string; hint: string; query: string }): Promise<void> {
    const [given = '', initial = ''] = known.label.toLowerCase().replace('.', '').split(' ');
    let family = initial;
    for (let grown = true; grown && family.length < 20 && !this.#isOver(); ) {
      grown = false;
      for (const letter of LETTERS) {
        const answer = await this.#patiently(`${given} ${family}${letter}`);
        if (answer.kind === 'used up') return;
        const still =
          answer.kind === 'told' &&
          answer.matches.some(({ label, hint }) => label === known.label && hint === known.hint);
        if (!still) continue;
        family += letter;
        grown = true;
        break;
      }
    }
    if (family.length > 1) this.#findings.spelt += 1;
  }

  /** Addresses as people write them, the commonest names first, for as long as the day lasts; and names, in case. */
  *#guesses(): Iterator<string> {
    for (let sum = 0; ; sum += 1) {
      for (let n = 0; n <= sum; n += 1) {
        const [given, family] = [GIVEN[n % GIVEN.length], FAMILY[(sum - n) % FAMILY.length]];
        const [address] = addressesOf(given ?? '', family ?? '');
        for (const host of ['gmail.com', 'gmx.de']) yield `${address}@${host}`;
        yield `${given} ${family}`;
      }
    }
  }

  async #guess(query: string): Promise<void> {
    await this.#patiently(query);
  }

  async #patiently(query: string): Promise<Exclude<Answer, { kind: 'not now' }>> {
    for (;;) {
      const answer = await this.#ask(query);
      if (answer.kind !== 'not now') return answer;
      if (this.#isOver()) return { kind: 'used up' };
    }
  }

  async #ask(query: string): Promise<Answer> {
    await this.#leave();
    const from = await this.#freeAddress();
    const sentAt = this.#elapsed();
    const { status, headers, text } = await this.#post(from, '/public/member-lookup', { query });
    this.#findings.requests += 1;
    if (status === 429 && text.includes('Too many attempts')) {
      this.#findings.throttled += 1;
      this.#waits[from] = sentAt + Number(headers.get('retry-after')) * 1_000;
      return { kind: 'not now' };
    }
    if (status === 429) {
      this.#findings['used up'] += 1;
      if (this.#task.book) this.#waits[from] = sentAt + A_WHILE_MS;
      return { kind: 'used up' };
    }
    if (status !== 200) throw new Error(`${query}: ${status} ${text}`);
    const { data } = JSON.parse(text);
    if (data.too_many) return { kind: 'too many' };
    if (this.#task.checksIn) await this.#letIn(from, data.matches);
    return { kind: 'told', matches: data.matches };
  }

  /** One of those told, so that the lookup was no curiosity. */
  async #letIn(from: number, matches: Match[]): Promise<void> {
    const tricks = this.#task.checksIn ?? [];
    const trick = tricks[this.#tricks++ % tricks.length];
    for (const { handle } of matches) {
      const { status, text } = await this.#post(from, '/public/check-ins', {
        handle,
        ...(trick === 'late' ? { occurred_at: new Date(this.now().getTime() - 3_600_000) } : {}),
        ...(trick === 'visitor' ? { visitor: { name: 'Nobody Special' } } : {}),
      });
      this.#findings.requests += 1;
      if (status !== 201) continue;
      this.#findings['let in'] += 1;
      const { check_out_token: token } = JSON.parse(text).data.check_in;
      this.#staying.push({
        token,
        from,
        until: this.#elapsed() + (trick === 'stay' ? STAYS_MS : 0),
      });
      return;
    }
  }

  /** Out again, for them to be let in once more when they are told with somebody else. */
  async #leave(): Promise<void> {
    const now = this.#elapsed();
    for (const { token, from, until } of this.#staying.splice(0)) {
      if (until > now) this.#staying.push({ token, from, until });
      else {
        await this.#post(from, `/public/check-ins/${token}/check-out`);
        this.#findings.requests += 1;
      }
    }
  }

  async #post(from: number, path: string, body?: object) {
    const answer = await fetch(this.#url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${from}` },
      body: JSON.stringify(body ? { location_id: this.#task.locationId, ...body } : {}),
    });
    const text = await answer.text();
    if (path.endsWith('lookup')) this.#search(text);
    return { status: answer.status, headers: answer.headers, text };
  }

  /** Anything of a member but a label, a hint and a handle. */
  #search(text: string): void {
    const pieces = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const known = pieces
      .map((piece) => JSON.parse(piece))
      .find((piece) => this.#secrets.has(piece));
    const shaped = /[\w.+-]+@[\w-]+\.\w+|[0-9a-f]{8}-[0-9a-f]{4}-/.exec(text)?.[0];
    if (known ?? shaped) this.#findings.leaks.push(`${known ?? shaped} in ${text}`);
  }

  /** Where none may ask yet, the clock is turned to when one may. */
  async #freeAddress(): Promise<number> {
    for (;;) {
      const turn = this.#turn++;
      const order = this.#waits.map((_, n) => (turn + n) % this.#waits.length);
      const free = order.find((n) => (this.#waits[n] ?? 0) <= this.#elapsed());
      if (free !== undefined) return free;
      this.#turning = this.#turning.then(() => this.#turnClock());
      await this.#turning;
    }
  }

  async #turnClock(): Promise<void> {
    const ms = Math.ceil(Math.min(...this.#waits) - this.#elapsed());
    if (ms <= 0) return;
    this.#turned += ms;
  }

  async #count(): Promise<void> {
    const { rows } = await this.#task.pool.query(
      `SELECT count(DISTINCT member_id) FILTER (WHERE NOT exact)::int AS "byName",
         count(DISTINCT member_id) FILTER (WHERE exact)::int AS "byAddress" FROM lookup_handles`,
    );
    Object.assign(this.#findings, rows[0]);
  }
}
