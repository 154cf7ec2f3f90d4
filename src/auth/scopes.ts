/** The scopes of each noun, with the descriptions that the panel shows. */
const SCOPE_DESCRIPTIONS = {
  bookings: ['See bookings of every resource', 'Create, move and cancel bookings'],
  spaces: ['See locations, resources and availability', 'Change locations and resources'],
  members: ['See members and their addresses', 'Add and change members, see their codes'],
  plans: ['See plans and their prices', 'Create plans and change their prices'],
  events: [
    'See events, including drafts',
    'Create, publish and cancel events, which refunds their orders',
  ],
  orders: ['See orders and their buyers', 'Place, cancel and refund orders, see ticket codes'],
  'day-passes': ['See day passes', 'Sell and change day passes'],
  'check-ins': ['See who is checked in', 'Check people in and out, see their admission codes'],
  displays: ['See displays and whether they are online', 'Create and revoke displays'],
  mailings: ['See mailings and their progress', 'Email members and attendees, cancel mailings'],
  webhooks: [
    'See webhooks, their deliveries and the journal of changes',
    'Create, change and replay webhooks',
  ],
} as const satisfies Record<string, [read: string, write: string]>;

type Noun = keyof typeof SCOPE_DESCRIPTIONS;
export type Scope = `${Noun}:${'read' | 'write'}` | '*';

export const scopeDescriptions: { scope: Scope; description: string }[] = [
  ...(Object.entries(SCOPE_DESCRIPTIONS) as [Noun, readonly [string, string]][]).flatMap(
    ([noun, [read, write]]) => [
      { scope: `${noun}:read` as const, description: read },
      { scope: `${noun}:write` as const, description: write },
    ],
  ),
  { scope: '*', description: 'Everything, including future scopes' },
];

/** All scopes except `*`, which also covers future nouns. */
export const NOUN_SCOPES: readonly Scope[] = scopeDescriptions
  .map(({ scope }) => scope)
  .filter((scope) => scope !== '*');

const knownScopes = new Set<string>(scopeDescriptions.map(({ scope }) => scope));

export const isScope = (text: string): text is Scope => knownScopes.has(text);

/** Whether the scopes include this one, directly or by `*`. */
export const hasScope = (scopes: readonly string[], scope: string) =>
  scopes.includes('*') || scopes.includes(scope);

const readScopes = scopeDescriptions
  .map(({ scope }) => scope)
  .filter((scope) => scope.endsWith(':read'));

/** Presets that the panel offers for new tokens. */
export const scopePresets: { name: string; scopes: Scope[] }[] = [
  { name: 'Read only', scopes: readScopes },
  {
    name: 'Front desk',
    scopes: [
      'bookings:read',
      'bookings:write',
      'spaces:read',
      'members:read',
      'check-ins:read',
      'check-ins:write',
    ],
  },
  { name: 'Website', scopes: ['spaces:read', 'events:read', 'day-passes:read'] },
  { name: 'Everything', scopes: ['*'] },
];
