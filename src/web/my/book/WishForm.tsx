import { NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { Location } from '../../features/spaces/queries.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import { durationWords, zoneWords } from '../../ui/place-words.ts';
import { DayField } from './DayField.tsx';
import type { Wish } from './wish.ts';

export interface GivenWish {
  day: string;
  minutes: number;
  type: ResourceType;
  people: number;
  after: string;
}

interface Props {
  locations: Location[];
  location: Location;
  types: { value: ResourceType; plural: string }[];
  lengths: number[];
  today: string;
  wish: GivenWish;
  change: (changes: Partial<Wish>) => void;
}

export function WishForm({ locations, types, ...rest }: Props) {
  const { location, lengths, wish, change } = rest;
  return (
    <Stack gap="sm">
      {locations.length > 1 && (
        <Select
          label="Location"
          data={locations.map(({ id, name }) => ({ value: id, label: name }))}
          value={location.id}
          allowDeselect={false}
          onChange={(place) => change({ place })}
        />
      )}
      {types.length > 1 && (
        <SegmentedControl
          aria-label="What do you need?"
          fullWidth
          data={types.map(({ value, plural }) => ({ value, label: plural }))}
          value={wish.type}
          onChange={(type) => change({ type: type as ResourceType, minutes: null })}
        />
      )}
      {lengths.length > 0 && <DayAndLength {...rest} />}
    </Stack>
  );
}

type FieldsProps = Omit<Props, 'locations' | 'types'>;

function DayAndLength({ location, lengths, today, wish, change }: FieldsProps) {
  return (
    <>
      <DayField today={today} day={wish.day} onChange={(day) => change({ day })} />
      <SimpleGrid cols={{ base: 2, xs: wish.type === 'ROOM' ? 3 : 2 }} spacing="sm">
        <Select
          label="How long"
          data={lengths.map((minutes) => ({
            value: String(minutes),
            label: durationWords(minutes),
          }))}
          value={String(wish.minutes)}
          allowDeselect={false}
          onChange={(minutes) => change({ minutes: Number(minutes) })}
        />
        <TextInput
          type="time"
          label="Not before"
          aria-description={zoneWords(location.timeZone)}
          value={wish.after}
          onChange={({ currentTarget: { value } }) => change({ after: value })}
        />
        {wish.type === 'ROOM' && (
          <NumberInput
            label="For how many"
            min={1}
            max={10_000}
            clampBehavior="strict"
            allowDecimal={false}
            value={wish.people}
            onChange={(people) => change({ people: Number(people) || null })}
          />
        )}
      </SimpleGrid>
    </>
  );
}
