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
import {
  type Announcement as AnnouncementData,
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from './service.ts';

const READ = { access: 'displays:read' } as const;
const WRITE = { access: 'displays:write' } as const;

const Announcement = builder.objectRef<AnnouncementData>('Announcement').implement({
  description: 'A message that displays show for a while',
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    body: t.exposeString('body', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    location: t.expose('location', {
      type: Location,
      nullable: true,
      description: 'Null if all locations show it',
    }),
  }),
});

builder.queryField('announcements', (t) =>
  t.connection({
    type: Announcement,
    description: 'Announcements, newest first, including past ones',
    authScopes: READ,
    complexity: computePageComplexity,
    args: {
      locationId: t.arg.id({
        description:
          'Only announcements that this location shows, including those for all locations',
      }),
    },
    resolve: async (_, args, { ctx }) => {
      const filter = parseInput(
        z.object({ locationId: z.uuid().optional() }),
        omitNull({ locationId: args.locationId }),
      );
      const page = await listAnnouncements(ctx, filter, toPageRequest(args));
      return toConnection(page, toCreatedPosition, args.after);
    },
  }),
);

const CreateAnnouncementInput = builder.inputType('CreateAnnouncementInput', {
  fields: (t) => ({
    title: t.string({ required: true }),
    body: t.string(),
    locationId: t.id({ description: 'Default: all locations' }),
    startsAt: t.field({ type: 'DateTime', description: 'Default: now' }),
    endsAt: t.field({ type: 'DateTime', description: 'Default: shown until it is deleted' }),
  }),
});

const titleSchema = singleLine(200);
/** The fields that an update can clear. */
const nullableFields = { body: boundedText(2_000), locationId: z.uuid(), endsAt: z.date() };

const createInput = z
  .object({ ...nullableFields, startsAt: z.date() })
  .partial()
  .extend({ title: titleSchema });

builder.mutationField('createAnnouncement', (t) =>
  t.field({
    type: Announcement,
    description: 'Creates an announcement; displays show it from their next poll on',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateAnnouncementInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createAnnouncement(ctx, parseInput(createInput, omitNull(input))),
  }),
);

const UpdateAnnouncementInput = builder.inputType('UpdateAnnouncementInput', {
  description: 'Omitted fields stay; null clears body, endsAt and locationId',
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
      updateAnnouncement(ctx, id, parseInput(updateInput, input)),
  }),
);

builder.mutationField('deleteAnnouncement', (t) =>
  t.field({
    type: Announcement,
    description: 'Deletes an announcement and returns it',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteAnnouncement(ctx, id),
  }),
);
