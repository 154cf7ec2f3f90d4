import { StatusBadge } from '../../components/PageLayout.tsx';
import type { ImportKind, ImportOutcome, ImportState } from '../../gql/graphql.ts';
import type { Import } from './queries.ts';

const KINDS: Record<ImportKind, string> = {
  MEMBERS: 'Members',
  EVENTS: 'Events',
  BOOKINGS: 'Bookings',
};

/** Such as "Members" or "Bookings of Atelier". */
export const formatKind = ({ kind, resource }: Pick<Import, 'kind' | 'resource'>) =>
  resource === null ? KINDS[kind] : `${KINDS[kind]} of ${resource}`;

export const formatFile = ({ fileName }: Pick<Import, 'fileName'>) => fileName ?? 'Without a name';

const STATES: Record<ImportState, { label: string; color: string }> = {
  RUNNING: { label: 'Not finished', color: 'orange' },
  FINISHED: { label: 'Imported', color: 'green' },
  UNDONE: { label: 'Undone', color: 'gray' },
};

export const ImportStateBadge = ({ state }: { state: ImportState }) => (
  <StatusBadge color={STATES[state].color}>{STATES[state].label}</StatusBadge>
);

/** Such as "98 added, 2 problems". */
export function formatCounts(counts: {
  importedCount: number;
  updatedCount: number;
  unchangedCount: number;
  skippedCount: number;
}): string {
  const { importedCount, updatedCount, unchangedCount, skippedCount } = counts;
  return [
    `${importedCount} added`,
    updatedCount > 0 && `${updatedCount} updated`,
    unchangedCount > 0 && `${unchangedCount} unchanged`,
    skippedCount > 0 && `${skippedCount} ${skippedCount === 1 ? 'problem' : 'problems'}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const PLURALS = {
  member: 'members',
  event: 'events',
  booking: 'bookings',
  line: 'lines',
  entry: 'entries',
} as const;

/** What a file is imported as. */
export type ImportNoun = 'member' | 'event' | 'booking';

/** Such as "1 event" or "2 events". */
export const formatNoun = (noun: keyof typeof PLURALS, count: number) =>
  `${count} ${count === 1 ? noun : PLURALS[noun]}`;

export const OUTCOMES: Record<ImportOutcome, string> = {
  IMPORTED: 'Added',
  UPDATED: 'Updated',
  UNCHANGED: 'Unchanged',
  SKIPPED: 'Problem',
};

export const OUTCOME_OPTIONS = (Object.keys(OUTCOMES) as ImportOutcome[]).map((value) => ({
  value,
  label: OUTCOMES[value],
}));
