import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import type { PaymentState, RefundState } from './documented-takings.ts';
import type { Caller, Callers, TakingsWorld } from './documented-takings-stage.ts';

/** How many decisions of the service the test has compared, by kind. */
export const decisions = new Map<string, number>();

// biome-ignore lint/suspicious/noExplicitAny: the model reads responses of any shape
export type Row = any;

/** Choices of a step; each step uses them in its own way. */
export interface Choice {
  a: number;
  b: number;
  c: number;
}

/** What the guide says about a request: it must succeed, must be rejected with one of these reasons, or can do either. */
export type Outcome = 'success' | 'either' | readonly string[];

/** Requests that the guide calls impossible without naming a reason. */
export const ANY_REASON: readonly string[] = ['*'];

/** An order of tickets or day passes, with its only payment. */
export interface OrderState {
  id: string;
  secret: string | null;
  product: TakingsWorld['products'][number];
  validOn: string | null;
  total: number;
  seats: { id: string; price: number; isValid: boolean; isUsed: boolean }[];
  status: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED';
  expiresAt: number | null;
  payment: PaymentState | null;
}

/** One world while its steps are taken: its model, and what every step needs. */
export function createRun(app: TestApp, world: TakingsWorld, callers: Callers) {
  const { model } = world;
  const orders: OrderState[] = [];
  const log: string[] = [];
  const getNow = () => app.clock.now.getTime();
  const pick = <Item>(items: readonly Item[], n: number): Item | undefined =>
    items[n % Math.max(1, items.length)];
  const toCaller = (n: number): Caller =>
    pick([callers.frontDesk, callers.owner, callers.token], n) ?? callers.token;

  /** Compares one decision. The steps before it are part of the message. */
  function compare(kind: string, situation: object, got: unknown, want: unknown): void {
    decisions.set(kind, (decisions.get(kind) ?? 0) + 1);
    if (JSON.stringify(got) === JSON.stringify(want)) return;
    const about = { now: app.clock.now, zones: model.places.map(({ zone }) => zone), ...situation };
    const lines = [kind, about, { got }, { want }].map((part) => JSON.stringify(part));
    throw new Error([...lines, ...log].join('\n'));
  }

  async function ask(document: string, variables: object, as: Credential): Promise<Row> {
    const { data, errors } = await app.graphql(document, variables, as);
    if (errors[0]) throw new Error(JSON.stringify(errors[0]));
    return data;
  }

  /** Sends a mutation and returns its payload or the reason of its rejection. */
  async function mutate(name: string, input: object, fields: string, as: Credential) {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
    const { data, errors } = await app.graphql(
      `mutation ($input: ${type}) { ${name}(input: $input) { ${fields} } }`,
      { input },
      as,
    );
    const extensions = errors[0]?.extensions;
    const reason = extensions ? String(extensions.reason ?? extensions.code) : null;
    log.push(`${app.clock.now.toISOString()} ${name} ${JSON.stringify(input)} ${reason ?? 'done'}`);
    return { reason, payload: data?.[name] as Row };
  }

  /** Compares whether a request succeeded. Returns true if it did. */
  function judge(
    kind: string,
    outcome: Outcome,
    reason: string | null,
    situation: object = {},
  ): boolean {
    const isDone = reason === null;
    const isRight =
      outcome === 'either' ||
      (outcome === 'success'
        ? isDone
        : !isDone && (outcome[0] === '*' || outcome.includes(reason)));
    const name =
      outcome === 'either'
        ? `left open: ${reason ?? 'done'}`
        : outcome === 'success'
          ? 'done'
          : 'rejected';
    compare(`${kind} ${name}`, { outcome, reason, ...situation }, isRight, true);
    return isDone;
  }

  /** Takes over the ids of the refunds that the model expects. */
  function adoptRefunds(known: RefundState[], rows: Row[], situation: object) {
    const isNew = (row: Row) => !known.some(({ id }) => id === row.id);
    const found = rows.filter(isNew);
    const wanted = known.filter(({ id }) => id === '');
    const sort = (amounts: number[]) => amounts.toSorted((one, other) => one - other);
    compare(
      'new refunds',
      situation,
      sort(found.map(({ amount }) => amount.amount)),
      sort(wanted.map(({ amount }) => amount)),
    );
    for (const refund of wanted) {
      const row = found.find(({ id, amount }) => isNew({ id }) && amount.amount === refund.amount);
      refund.id = row.id;
    }
  }

  return {
    ...{ app, world, model, orders, callers, log, getNow, pick, toCaller },
    ...{ compare, ask, mutate, judge, adoptRefunds },
  };
}

export type Run = ReturnType<typeof createRun>;
