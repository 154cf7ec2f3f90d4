import { NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { formatDuration } from '../../../core/time/format.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import { formatResourceTypePlural } from '../../admin/spaces/resource-labels.ts';
import { DayField } from '../../components/DayField.tsx';
import type { ResourceType } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatTimeZone } from '../../language/page-dates.ts';
import type { SearchCriteria } from './search-criteria.ts';

export interface ResolvedCriteria {
  day: string;
  minutes: number;
  type: ResourceType;
  area: string | null;
  people: number;
  after: string;
}

interface Props {
  locations: LocationChoice[];
  location: LocationChoice;
  types: { value: ResourceType }[];
  /** Those of the type. */
  areas: string[];
  durations: number[];
  today: string;
  criteria: ResolvedCriteria;
  onChange: (changes: Partial<SearchCriteria>) => void;
}

export function SearchForm({ locations, types, areas, ...rest }: Props) {
  const { location, durations, criteria, onChange } = rest;
  return (
    <Stack gap="sm">
      {locations.length > 1 && (
        <Select
          label={getMemberText('book.location')}
          data={locations.map(({ id, name }) => ({ value: id, label: name }))}
          value={location.id}
          allowDeselect={false}
          onChange={(id) => onChange({ location: id })}
        />
      )}
      {types.length > 1 && (
        <SegmentedControl
          aria-label={getMemberText('book.type')}
          fullWidth
          data={types.map(({ value }) => ({ value, label: formatResourceTypePlural(value) }))}
          value={criteria.type}
          onChange={(type) => onChange({ type: type as ResourceType, area: null, minutes: null })}
        />
      )}
      {areas.length > 0 && (
        <Select
          label={getMemberText('book.area')}
          data={[{ value: '', label: getMemberText('book.allAreas') }, ...areas]}
          value={criteria.area ?? ''}
          allowDeselect={false}
          onChange={(area) => onChange({ area: area || null })}
        />
      )}
      {durations.length > 0 && <DayAndDurationFields {...rest} />}
    </Stack>
  );
}

type DayAndDurationProps = Omit<Props, 'locations' | 'types' | 'areas'>;

function DayAndDurationFields({
  location,
  durations,
  today,
  criteria,
  onChange,
}: DayAndDurationProps) {
  return (
    <>
      <DayField today={today} day={criteria.day} onChange={(day) => onChange({ day })} />
      <SimpleGrid cols={{ base: 2, xs: criteria.type === 'ROOM' ? 3 : 2 }} spacing="sm">
        <Select
          label={getMemberText('book.duration')}
          data={durations.map((minutes) => ({
            value: String(minutes),
            label: formatDuration(minutes),
          }))}
          value={String(criteria.minutes)}
          allowDeselect={false}
          onChange={(minutes) => onChange({ minutes: Number(minutes) })}
        />
        <TextInput
          type="time"
          label={getMemberText('book.earliest')}
          aria-description={formatTimeZone(location.timeZone)}
          value={criteria.after}
          onChange={({ currentTarget: { value } }) => onChange({ after: value })}
        />
        {criteria.type === 'ROOM' && (
          <NumberInput
            label={getMemberText('book.people')}
            min={1}
            max={10_000}
            clampBehavior="strict"
            allowDecimal={false}
            value={criteria.people}
            onChange={(people) => onChange({ people: Number(people) || null })}
          />
        )}
      </SimpleGrid>
    </>
  );
}
