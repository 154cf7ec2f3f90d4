export interface NounScopes {
  noun: string;
  verbs: string[];
}

export const ALL_SCOPES = '*';

/** Scopes as people read them: noun by noun, in the order given. */
export function groupScopesByNoun(scopes: readonly string[]): NounScopes[] {
  const nouns = new Map<string, string[]>();
  for (const scope of scopes) {
    const [noun = scope, verb] = scope.split(':');
    if (verb) nouns.set(noun, [...(nouns.get(noun) ?? []), verb]);
  }
  return [...nouns].map(([noun, verbs]) => ({ noun, verbs }));
}

export function formatScopeNoun(noun: string): string {
  const words = noun === 'check-ins' ? noun : noun.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((scope) => other.includes(scope));
