import { useDebouncedValue } from '@mantine/hooks';
import type { PreviewMoveQueryVariables } from '../../gql/graphql.ts';
import { type PricePreview, useMovePreview } from './preview-queries.ts';
import { PATIENCE_MS } from './use-verdict.ts';

interface MoveVerdict {
  /** Null while there is nothing to ask. */
  preview: PricePreview | null;
  error: Error | null;
  /** It answers what was asked last. */
  isCurrent: boolean;
}

/** What the service says to the move of one booking, asked when the typing pauses. */
export function useMoveVerdict(move: PreviewMoveQueryVariables | null): MoveVerdict {
  const typed = JSON.stringify(move);
  const [asked] = useDebouncedValue(typed, PATIENCE_MS);
  const query = useMovePreview(JSON.parse(asked));
  const shown = move !== null;
  return {
    preview: (shown && query.data) || null,
    error: shown ? query.error : null,
    isCurrent: asked === typed && !query.isFetching,
  };
}
