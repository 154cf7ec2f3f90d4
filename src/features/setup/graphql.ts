import { authenticateSession } from '../../auth/authenticate.ts';
import { createFirstOwner, isSetupOpen } from '../../auth/first-owner.ts';
import { hasReason, toCodeGuess } from '../../auth/guesses.ts';
import { builder } from '../../graphql/builder.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Viewer } from '../sign-in/graphql.ts';
import { createFirstOwnerInput } from './inputs.ts';
import {
  dismissSetupChecklist,
  getSetupChecklist,
  type SetupChecklist as SetupChecklistValue,
} from './service.ts';

const OWNER_ACCESS = { access: 'staff:owner' } as const;

const Setup = builder
  .objectRef<{ isOpen: boolean; hasMailServer: boolean; baseUrl: string }>('Setup')
  .implement({
    description: 'The installation and its first setup',
    fields: (t) => ({
      isOpen: t.exposeBoolean('isOpen', {
        description: 'Whether there is no owner yet, so that createFirstOwner can create one',
      }),
      hasMailServer: t.exposeBoolean('hasMailServer', {
        description:
          'Whether emails such as sign-in links are sent. Without a mail server, staff read them in the panel',
      }),
      baseUrl: t.exposeString('baseUrl', {
        description: 'The public URL of the service (BASE_URL), without a slash at its end',
      }),
    }),
  });

builder.queryField('setup', (t) =>
  t.field({
    type: Setup,
    description: 'Whether the installation still has to be set up',
    authScopes: { access: 'public' },
    resolve: async (_, __, { ctx }) => ({
      isOpen: await isSetupOpen(ctx),
      hasMailServer: ctx.hasMailServer,
      baseUrl: ctx.baseUrl,
    }),
  }),
);

addMutation('createFirstOwner', {
  description:
    'Creates the owner of a new installation with a setup code, which then ends, and sets the session cookie',
  access: 'public',
  input: createFirstOwnerInput,
  payload: { viewer: { type: Viewer, description: 'The owner, who is now signed in' } },
  ignoresIdempotencyKey: true,
  guess: (_, { deps, address }) =>
    toCodeGuess(deps.rateLimits.setupCodes, { address }, hasReason('SETUP_CODE')),
  resolve: async (input, context) => {
    const { ctx, deps, browserSecret, setSessionCookie, setBrowserCookie } = context;
    context.assertSameOrigin();
    const { session, browser } = await createFirstOwner(ctx, input, browserSecret);
    setSessionCookie(session);
    setBrowserCookie(browser);
    return { viewer: await authenticateSession(session, deps.credentials) };
  },
});

const SetupStep = builder.enumType('SetupStep', {
  description: 'A step to a working space',
  values: {
    LOCATION: { value: 'location', description: 'There is a location' },
    OPENING_HOURS: { value: 'opening_hours', description: 'A location has opening hours' },
    RESOURCES: { value: 'resources', description: 'There is a room, a desk or equipment' },
    API_KEY: { value: 'api_key', description: 'There is an API key' },
    DISPLAY: { value: 'display', description: 'There is a display' },
    TEST_EMAIL: { value: 'test_email', description: 'The mail server accepted a test email' },
    MEMBERS: { value: 'members', description: 'There is a member' },
    STAFF: { value: 'staff', description: 'A second person is invited as staff' },
  } as const,
});

const SetupChecklist = builder.objectRef<SetupChecklistValue>('SetupChecklist').implement({
  description: 'Which steps to a working space are done',
  fields: (t) => ({
    done: t.expose('done', { type: [SetupStep], description: 'The steps that are done' }),
    open: t.expose('open', { type: [SetupStep], description: 'The steps that are left, in order' }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an owner hid the checklist; null if it is shown until no step is left',
    }),
  }),
});

builder.queryField('setupChecklist', (t) =>
  t.field({
    type: SetupChecklist,
    description: 'Which steps to a working space are done',
    authScopes: OWNER_ACCESS,
    resolve: (_, __, { ctx }) => getSetupChecklist(ctx),
  }),
);

addMutation('dismissSetupChecklist', {
  description: 'Hides the checklist in the panel from all owners',
  access: OWNER_ACCESS.access,
  payload: { setupChecklist: { type: SetupChecklist, description: 'The hidden checklist' } },
  resolve: async (_, { ctx }) => ({ setupChecklist: await dismissSetupChecklist(ctx) }),
});
