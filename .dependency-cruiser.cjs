// Who can import whom. `docs/architecture.md` explains the rules. `.dependency-cruiser.folders.cjs` rejects circular folders.

/**
 * The layers of the features, from lowest to highest. A feature imports only features of lower layers, and so never one of
 * its own layer. This includes types. `events` reads events. `event-management` changes them, and with them orders and
 * check-ins.
 */
const layers = [
  ['settings'],
  [
    'spaces',
    'teams',
    'tokens',
    'mails',
    'email-templates',
    'email-preferences',
    'sign-in',
    'order-limits',
    'discounts',
  ],
  ['members', 'staff'],
  ['plans'],
  ['bookings'],
  ['events', 'day-passes', 'calendar-feeds'],
  ['orders'],
  ['payments', 'check-ins', 'displays', 'mailings'],
  ['event-management', 'takings', 'front-desk', 'closures', 'setup'],
  ['webhooks', 'changes', 'monitoring', 'notifications', 'imports'],
  ['personal-data'],
  ['system'],
];

const toFeaturePattern = (features) => `^src/features/(${features.join('|')})/`;

const layerRules = layers.map((features, index) => ({
  name: `layer-${index + 1}-imports-lower-layers-only`,
  severity: 'error',
  from: { path: toFeaturePattern(features) },
  to: {
    path: toFeaturePattern(layers.slice(index).flat()),
    pathNot: '^src/features/$1/',
  },
}));

/** The service of a noun, or of a part of it: `service.ts`, or the files of `service/`. */
const service = '^src/features/.+/service(\\.ts$|/)';

/** The composition root, and the files that register features. */
const registrationFiles =
  '^src/(app|server/dependencies|graphql/(schema|dataloaders)|rest/(route-table|object-routes)|mcp/tool-table|jobs/job-definitions|journal/subjects|objects/object-table)\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-circular-imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'features-import-services-and-types-only',
      comment:
        'A feature imports the service, types.ts and rows.ts of another one. Its GraphQL files also import the GraphQL files of that one.',
      severity: 'error',
      from: {
        path: '^src/features/([^/]+)/',
      },
      to: {
        path: '^src/features/([^/]+)/',
        pathNot: [
          '^src/features/$1/',
          service,
          '^src/features/[^/]+/types\\.ts$',
          '^src/features/.*/rows\\.ts$',
          '^src/features/[^/]+/graphql',
        ],
      },
    },
    {
      name: 'a-file-or-a-folder',
      comment:
        'service.ts or service/, graphql.ts or graphql/: never one that only passes on the other.',
      severity: 'error',
      from: {
        path: '^src/features/(.+)/(service|graphql)\\.ts$',
      },
      to: {
        path: '^src/features/$1/$2/',
      },
    },
    {
      name: 'others-import-services-and-types-only',
      comment:
        'Only the composition root and the files that register features also import API files.',
      severity: 'error',
      from: {
        path: '^src/(jobs|imports|demo|cli|server|graphql|rest|mcp)/',
        pathNot: [registrationFiles, '^src/imports/graphql\\.ts$'],
      },
      to: {
        path: '^src/features/',
        pathNot: [service, '^src/features/.*/(types|rows)\\.ts$'],
      },
    },
    {
      name: 'registration-imports-services-and-apis-only',
      severity: 'error',
      from: {
        path: registrationFiles,
      },
      to: {
        path: '^src/features/',
        pathNot: [
          service,
          '^src/features/[^/]+/types\\.ts$',
          '^src/features/.*/rows\\.ts$',
          '^src/features/.*/(graphql|rest|mcp)[./-]',
        ],
      },
    },
    ...layerRules,
    {
      name: 'every-feature-has-a-layer',
      severity: 'error',
      from: { path: '^src/features/', pathNot: toFeaturePattern(layers.flat()) },
      to: {},
    },
    {
      name: 'infrastructure-imports-no-feature',
      comment: 'Except for the composition root and the files that register features.',
      severity: 'error',
      from: {
        path: [
          '^src/(core|server|auth|db|rows|lists|graphql|rest|mcp|integrations|jobs|journal|objects)/',
          '^src/[^/]+\\.ts$',
        ],
        pathNot: registrationFiles,
      },
      to: {
        path: '^src/(features|imports|demo|cli)/',
      },
    },
    {
      name: 'journal-imports-no-objects',
      comment: 'The journal stores columns. Objects, which REST and webhooks show, follow from it.',
      severity: 'error',
      from: {
        path: '^src/(journal|rows|lists)/',
      },
      to: {
        path: '^src/(objects|rest)/',
      },
    },
    {
      name: 'objects-import-no-api',
      severity: 'error',
      from: {
        path: '^src/objects/',
      },
      to: {
        path: '^src/(rest|graphql|mcp)/',
      },
    },
    {
      name: 'core-imports-core-only',
      severity: 'error',
      from: {
        path: '^src/core/',
      },
      to: {
        path: '^src/',
        pathNot: '^src/(core/|errors\\.ts$)',
      },
    },
    {
      name: 'languages-import-languages-only',
      comment: 'The texts are part of the service and of the pages.',
      severity: 'error',
      from: {
        path: '^src/languages/',
      },
      to: {
        path: '^src/',
        pathNot: '^src/languages/',
      },
    },
    {
      name: 'services-import-no-api',
      comment: 'What can be done is the same for every API.',
      severity: 'error',
      from: {
        path: '^src/(features|auth|db|jobs|demo|imports|integrations)/',
        pathNot: '/(graphql|rest|mcp)[./-]',
      },
      to: {
        path: [
          '^src/features/.*/(graphql|rest|mcp)[./-]',
          '^src/(graphql|rest|mcp|web|cli)/',
          'node_modules/(@pothos|@modelcontextprotocol|express|graphql|graphql-yoga)/',
        ],
      },
    },
    {
      name: 'services-import-no-callers',
      comment:
        'These folders use services, so services do not import them. API files can import server.',
      severity: 'error',
      from: {
        path: '^src/(features|auth|db|integrations)/',
        pathNot: '/(graphql|rest|mcp)[./-]',
      },
      to: {
        path: '^src/((server|jobs|imports|demo|cli)/|(app|main)\\.ts$)',
      },
    },
    {
      name: 'services-import-no-http',
      comment:
        'Except for auth, which reads headers, and integrations, which send requests to other services.',
      severity: 'error',
      from: {
        path: '^src/(features|db|jobs|demo|imports)/',
        pathNot: '/(graphql|rest|mcp)[./-]',
      },
      to: {
        path: '^(node:)?(http|https|http2)$',
      },
    },
    {
      name: 'graphql-imports-no-rest',
      severity: 'error',
      from: {
        path: ['^src/graphql/', '^src/.*/graphql[./]'],
      },
      to: {
        path: ['^src/(rest|mcp)/', '^src/.*/(rest|mcp)\\.ts$', 'node_modules/express/'],
      },
    },
    {
      name: 'rest-and-mcp-import-no-graphql',
      comment: 'MCP uses the names and shapes of REST.',
      severity: 'error',
      from: {
        path: ['^src/(rest|mcp)/', '^src/.*/(rest|mcp)\\.ts$'],
      },
      to: {
        path: [
          '^src/graphql/',
          '^src/.*/graphql[./]',
          'node_modules/(@pothos|graphql|graphql-yoga)/',
        ],
      },
    },
    {
      name: 'web-imports-no-server',
      comment:
        'The pages speak GraphQL and import nothing but generated types, the functions for local times and opening hours, for money, for files of imports, and the texts of each language.',
      severity: 'error',
      from: {
        path: '^src/web/',
      },
      to: {
        path: '^src/',
        pathNot:
          '^src/(web/|languages/|core/(time/|(countries|csv-parts|decode-file|guess-encoding|money|row-sample)\\.ts$))',
      },
    },
    {
      name: 'packages-import-no-server',
      comment: 'Programs use the packages without the service, also in browsers.',
      severity: 'error',
      from: { path: '^packages/' },
      to: {
        path: '^src/',
      },
    },
    {
      name: 'packages-import-no-node',
      severity: 'error',
      from: { path: '^packages/' },
      to: {
        dependencyTypes: ['core'],
      },
    },
    {
      name: 'server-imports-no-web',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/web/',
      },
      to: {
        path: '^src/web/',
      },
    },
    {
      name: 'only-declared-packages',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/web/',
      },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'npm-dev'],
      },
    },
  ],
  options: {
    doNotFollow: {
      path: 'node_modules',
    },
    exclude: {
      path: ['^src/db/generated/', '^src/web/gql/'],
    },
    tsPreCompilationDeps: true,
    tsConfig: {
      fileName: 'tsconfig.json',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
