import { builder } from '../../../graphql/builder.ts';
import { live } from '../../../graphql/live.ts';
import { Display, DisplayStatus } from '../types/graphql.ts';
import { statusNews } from './service.ts';

const READ = { access: 'displays:read' } as const;

type News = ReturnType<typeof statusNews> extends AsyncGenerator<(infer Told)[]> ? Told : never;

const DisplayStatusChanged = builder.objectRef<News>('DisplayStatusChanged');
DisplayStatusChanged.implement({
  description: 'That a display came or went just now',
  fields: (t) => ({
    display: t.expose('display', { type: Display }),
    was: t.expose('previousStatus', { type: DisplayStatus }),
    status: t.expose('status', { type: DisplayStatus }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

builder.subscriptionField('displayStatusChanged', (t) =>
  t.field({
    type: DisplayStatusChanged,
    authScopes: READ,
    args: { locationId: t.arg.id() },
    subscribe: (_, { locationId }, context) =>
      live(context, READ.access, (signal) =>
        statusNews(context.ctx, locationId ?? undefined, signal),
      ),
    resolve: (news) => news,
  }),
);
