import { z } from 'zod';
import { toCreatedPosition } from '../../../core/pagination.ts';
import {
  boundedText,
  ignoreNull,
  omitNull,
  parseInput,
  singleLine,
} from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import {
  computePageComplexity,
  toConnection,
  toPageRequest,
} from '../../../graphql/connections.ts';
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
    complexity: computePageComplexity,
    args: { locationId: t.arg.id({ description: 'What is shown there, also from everywhere' }) },
    resolve: async (_, args, { ctx }) => {
      const filter = parseInput(
        z.object({ locationId: z.uuid().optional() }),
        omitNull({ locationId: args.locationId }),
      );
      const page = await announcements.listAnnouncements(ctx, filter, toPageRequest(args));
      return toConnection(page, toCreatedPosition, args.after);
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

const titleSchema = singleLine(200);
/** What an announcement may be without. */
const nullableFields = { body: boundedText(2_000), locationId: z.uuid(), endsAt: z.date() };

const createInput = z
  .object({ ...nullableFields, startsAt: z.date() })
  .partial()
  .extend({ title: titleSchema });

builder.mutationField('createAnnouncement', (t) =>
  t.field({
    type: Announcement,
    description: 'Displays show it from their next poll on',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateAnnouncementInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      announcements.createAnnouncement(ctx, parseInput(createInput, omitNull(input))),
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

const updateInput = z.object({
  title: ignoreNull(titleSchema),
  startsAt: ignoreNull(z.date()),
  body: nullableFields.body.nullish(),
  locationId: nullableFields.locationId.nullish(),
  endsAt: nullableFields.endsAt.nullish(),
});

builder.mutationField('updateAnnouncement', (t) =>
  t.field({
    type: Announcement,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateAnnouncementInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      announcements.updateAnnouncement(ctx, id, parseInput(updateInput, input)),
  }),
);

builder.mutationField('deleteAnnouncement', (t) =>
  t.field({
    type: Announcement,
    description: 'Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => announcements.deleteAnnouncement(ctx, id),
  }),
);
