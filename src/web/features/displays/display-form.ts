import type { UseFormReturnType } from '@mantine/form';
import type { CreateDisplayInput, DisplayKind } from '../../gql/graphql.ts';

export interface DisplayValues {
  name: string;
  kind: DisplayKind;
  locationId: string | null;
  resourceId: string | null;
}

export type DisplayFormState = UseFormReturnType<DisplayValues>;

export const emptyDisplay: DisplayValues = {
  name: '',
  kind: 'ROOM_PANEL',
  locationId: null,
  resourceId: null,
};

export const validateDisplay = {
  name: (name: string) => (name.trim() ? null : 'Give it a name'),
  locationId: (id: string | null) => (id ? null : 'Choose where it hangs'),
  resourceId: (id: string | null, { kind }: DisplayValues) =>
    kind !== 'ROOM_PANEL' || id ? null : 'Choose what it shows',
};

export const asInput = ({
  name,
  kind,
  locationId,
  resourceId,
}: DisplayValues): CreateDisplayInput => ({
  name,
  kind,
  locationId: locationId ?? '',
  resourceId: kind === 'ROOM_PANEL' ? resourceId : null,
});
