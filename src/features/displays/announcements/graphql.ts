import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { connection, pageComplexity, pageRequest } from '../../../graphql/pages.ts';
import { createdPosition } from '../../../page.ts';
import { definite, line, text, unlessNull, valid } from '../../../validation.ts';
import { Location } from '../../spaces/graphql.ts';
import * as announcements from './service.ts';

const READ = { access: 'displays:read' } as const;
const WRITE = { access: 'displays:write' } as const;

const Announcement = builder.objectRef<announcements.Announcement>('Announcement').implement({
  description: 'What displays show for a while',
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    body: t.exposeString('body', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    location: t.expose('location', {
      type: Location,
      nullable: true,
      description: 'Null: shown at all locations',
    }),
  }),
});

builder.queryField('announcements', (t) =>
  t.connection({
    type: Announcement,
    description: 'Newest first, those that are over too',
    authScopes: READ,
    complexity: pageComplexity,
    args: { locationId: t.arg.id({ description: 'What is shown there, also from everywhere' }) },
    resolve: async (_, args, { ctx }) => {
      const filter = valid(
        z.object({ locationId: z.uuid().optional() }),
        definite({ locationId: args.locationId }),
      );
      const page = await announcements.list(ctx, filter, pageRequest(args));
      return connection(page, createdPosition, args.after);
    },
  }),
);

const CreateAnnouncementInput = builder.inputType('CreateAnnouncementInput', {
  fields: (t) => ({
    title: t.string({ required: true }),
    body: t.string(),
    locationId: t.id({ description: 'All locations, if left out' }),
    startsAt: t.field({ type: 'DateTime', description: 'Now, if left out' }),
    endsAt: t.field({ type: 'DateTime', description: 'Until it is deleted, if left out' }),
  }),
});

const title = line(200);
/** What an announcement may be without. */
const emptiable = { body: text(2_000), locationId: z.uuid(), endsAt: z.date() };

const createInput = z
  .object({ ...emptiable, startsAt: z.date() })
  .partial()
  .extend({ title });

builder.mutationField('createAnnouncement', (t) =>
  t.field({
    type: Announcement,
    description: 'Displays show it from their next poll on',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateAnnouncementInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      announcements.create(ctx, valid(createInput, definite(input))),
  }),
);

const UpdateAnnouncementInput = builder.inputType('UpdateAnnouncementInput', {
  description: 'What is left out stays; null empties body, endsAt and locationId',
  fields: (t) => ({
    title: t.string(),
    body: t.string(),
    locationId: t.id(),
    startsAt: t.field({ type: 'DateTime' }),
    endsAt: t.field({ type: 'DateTime' }),
  }),
});

const changes = z.object({
  title: unlessNull(title),
  startsAt: unlessNull(z.date()),
  body: emptiable.body.nullish(),
  locationId: emptiable.locationId.nullish(),
  endsAt: emptiable.endsAt.nullish(),
});

builder.mutationField('updateAnnouncement', (t) =>
  t.field({
    type: Announcement,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateAnnouncementInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) => announcements.update(ctx, id, valid(changes, input)),
  }),
);

builder.mutationField('deleteAnnouncement', (t) =>
  t.field({
    type: Announcement,
    description: 'Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => announcements.remove(ctx, id),
  }),
);
