import { setTimeout } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import { runInTransaction } from '../../../src/context.ts';
import type { ChangeFeed } from '../../../src/core/change-feed.ts';
import {
  type Change,
  synchronizeChanges,
  watchChanges,
} from '../../../src/features/changes/service/list-changes.ts';
import { recordAction } from '../../../src/journal/record-changes.ts';
import { createDeferred } from '../../support/deferred.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

const ALL = { types: ['team.updated'], limit: 100 };

let app: TestApp;
let team: string;
let plan: string;
let staffToken: string;

beforeAll(async () => {
  app = await startApp();
  ({ id: team } = await app.ctx.db.team.create({ data: { name: 'Printers' } }));
  ({ id: plan } = await app.ctx.db.plan.findFirstOrThrow());
  staffToken = await app.token('webhooks:read', 'members:read');
});
afterAll(() => app.stop());

describe('the subscription to changes', () => {
  it('sends new changes that the caller can read', async () => {
    const client = createClient({
      url: `${app.url}/graphql`,
      headers: { authorization: `Bearer ${staffToken}` },
      retryAttempts: 0,
    });
    const query = 'subscription { changes { type subjectId } }';
    const stream = client.iterate<{ changes: object }>({ query });
    let isReceived = false;
    const first = stream.next().finally(() => {
      isReceived = true;
    });
    // The stream begins with the first poll of the feed. Changes before it are not sent.
    while (!isReceived) {
      await runInTransaction(app.ctx, async (ctx) => {
        await recordAction(ctx, 'plan.updated', [plan]);
        await recordAction(ctx, 'team.updated', [team]);
      });
      await setTimeout(100);
    }
    expect((await first).value?.data).toEqual({
      changes: { type: 'team.updated', subjectId: team },
    });
    client.dispose();
  });

  it('continues after a position, and misses and repeats nothing while it begins to listen', async () => {
    const record = () =>
      runInTransaction(app.ctx, (ctx) => recordAction(ctx, 'team.updated', [team]));
    const { next: after } = await synchronizeChanges(app.ctx, { after: 'latest', ...ALL });
    await record();
    const listening = createDeferred<void>();
    const received: Change[] = [];
    const feed: ChangeFeed<Change> = {
      async *listen() {
        await listening.promise;
        yield []; // the first poll, from which on the feed has all changes
        yield [...received];
      },
    };
    const filter = { after, types: ['team.updated'] };
    const { signal } = new AbortController();
    for await (const changes of watchChanges(feed, () => app.ctx, filter, signal)) {
      received.push(...changes);
      if (changes.length > 0 || received.length === 0) continue;
      if (received.length === 1) await record(); // it has read all, and the feed has not begun
      listening.resolve();
    }
    const { changes } = await synchronizeChanges(app.ctx, { after, ...ALL });
    expect(changes).toHaveLength(2);
    expect(received).toEqual(changes);
  });

  it('rejects a position that no change has', async () => {
    const { errors } = await app.graphql(
      'subscription { changes(after: 1000000) { type } }',
      {},
      {
        token: staffToken,
      },
    );
    expect(errors[0]?.extensions).toMatchObject({ reason: 'BAD_CURSOR' });
  });
});
