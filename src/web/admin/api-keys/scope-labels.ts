export interface NounScopes {
  noun: string;
  verbs: string[];
}

export const ALL_SCOPES = '*';

/** Groups scopes such as "bookings:read" by noun, in their original order. */
export function groupScopesByNoun(scopes: readonly string[]): NounScopes[] {
  const nouns = new Map<string, string[]>();
  for (const scope of scopes) {
    const [noun = scope, verb] = scope.split(':');
    if (verb) nouns.set(noun, [...(nouns.get(noun) ?? []), verb]);
  }
  return [...nouns].map(([noun, verbs]) => ({ noun, verbs }));
}

export function formatScopeNoun(noun: string): string {
  const label = noun === 'check-ins' ? noun : noun.replaceAll('-', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

export const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((scope) => b.includes(scope));
