import {
  Alert,
  Anchor,
  Button,
  CloseButton,
  Group,
  Input,
  List,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { formatLocalDateTimeRange } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { notifySuccess } from '../../components/notify.ts';
import {
  type DaySpan,
  formatWeek,
  toOpeningHours,
  toWeek,
  validateDaySpans,
  WEEKDAYS,
  type Week,
} from '../../components/opening-hours.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { EditForm } from '../EditForm.tsx';
import classes from './DayHoursFields.module.css';
import {
  type BookingsOutsideHours,
  type LocationDetails,
  useFindBookingsOutsideHours,
  useSetOpeningHours,
} from './location-queries.ts';

interface OpeningHoursProps {
  location: LocationDetails;
  canChange: boolean;
}

export function OpeningHours({ location, canChange }: OpeningHoursProps) {
  const [editing, setEditing] = useState(false);
  return (
    <SectionCard
      title="Opening hours"
      description="In the location’s time zone. Members cannot book outside these hours, staff can."
      action={
        canChange &&
        !editing && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            Edit hours
          </Button>
        )
      }
    >
      {editing ? (
        <WeekEditor location={location} onClose={() => setEditing(false)} />
      ) : (
        formatWeek(location.openingHours).map((line) => (
          <Text key={line} size="sm">
            {line === 'Always' ? 'Always open. No hours are set.' : line}
          </Text>
        ))
      )}
    </SectionCard>
  );
}

const DEFAULT_SPAN: DaySpan = { opens: '09:00', closes: '18:00' };

interface WeekEditorProps {
  location: LocationDetails;
  /** The hours to start with if the location has none. */
  suggestion?: Week;
  cancelLabel?: string;
  onClose: () => void;
}

/**
 * Asks which bookings would be outside the new hours before it saves them. If there are any, or if this cannot be found out, people submit
 * the form twice.
 */
export function WeekEditor({
  location,
  suggestion,
  cancelLabel = 'Cancel',
  onClose,
}: WeekEditorProps) {
  const [week, setWeek] = useState(() =>
    suggestion && location.openingHours.length === 0 ? suggestion : toWeek(location.openingHours),
  );
  const [isChecked, setIsChecked] = useState(false);
  const version = useRef(location.updatedAt);
  const save = useSetOpeningHours(location.id, () => {
    notifySuccess('Opening hours saved.');
    onClose();
  });
  const [outside, setOutside] = useState<BookingsOutsideHours | null>(null);
  const hours = toOpeningHours(week);
  const saveWeek = (hours: BookingsOutsideHours['hours']) =>
    save.mutate({ hours, ifUpdatedAt: version.current });
  const find = useFindBookingsOutsideHours(location.id, (found) => {
    if (found.count > 0) setOutside(found);
    else saveWeek(found.hours);
  });
  // What was found for other hours is outdated.
  const isUnchecked = find.isError && JSON.stringify(find.variables) === JSON.stringify(hours);
  const isShown = outside !== null && JSON.stringify(outside.hours) === JSON.stringify(hours);
  const submit = () => (isShown || isUnchecked ? saveWeek(hours) : find.mutate(hours));
  const problems = WEEKDAYS.map(({ value }) => validateDaySpans(week[value]));
  const copyMonday = () => {
    const { MONDAY } = week;
    setWeek({
      ...week,
      TUESDAY: MONDAY,
      WEDNESDAY: MONDAY,
      THURSDAY: MONDAY,
      FRIDAY: MONDAY,
    });
  };
  return (
    <EditForm
      row={location}
      form={{ acceptVersion: (updatedAt) => (version.current = updatedAt) }}
      effect="Saving them replaces the opening hours of the whole week."
      label={toSaveLabel({ isShown, isUnchecked })}
      onSubmit={(event) => {
        event.preventDefault();
        setIsChecked(true);
        if (problems.every((problem) => problem === null)) submit();
      }}
      mutation={{ error: save.error ?? find.error, isPending: find.isPending || save.isPending }}
      onCancel={onClose}
      cancelLabel={cancelLabel}
    >
      {WEEKDAYS.map(({ value, label }, index) => (
        <DayHoursFields
          key={value}
          day={label}
          spans={week[value]}
          defaultSpan={DEFAULT_SPAN}
          problem={isChecked ? (problems[index] ?? null) : null}
          onChange={(spans) => setWeek({ ...week, [value]: spans })}
        />
      ))}
      <Group>
        <Button size="xs" variant="default" onClick={copyMonday}>
          Copy Monday to all weekdays
        </Button>
      </Group>
      {hours.length === 0 && (
        <Text size="sm" c="dimmed">
          If you set no hours, the location is always open.
        </Text>
      )}
      {isShown && <BookingsOutside found={outside} location={location} />}
    </EditForm>
  );
}

function toSaveLabel({ isShown, isUnchecked }: { isShown: boolean; isUnchecked: boolean }): string {
  if (isUnchecked) return 'Save without the check';
  return isShown ? 'Save hours, keep these bookings' : 'Save hours';
}

interface BookingsOutsideProps {
  found: BookingsOutsideHours;
  location: LocationDetails;
}

/** Says which bookings are outside the new hours, with links to them. */
function BookingsOutside({
  found: { count, alreadyOutsideCount, firstBookings = [] },
  location: { id, timeZone },
}: BookingsOutsideProps) {
  const more = count - firstBookings.length;
  return (
    <Alert
      color="orange"
      role="alert"
      title={
        count === 1
          ? '1 booking is outside these hours'
          : `${count} bookings are outside these hours`
      }
    >
      <Stack gap="xs">
        <Text size="sm">They stay if you save. Move or cancel them as you decide.</Text>
        {alreadyOutsideCount > 0 && (
          <Text size="sm">
            {alreadyOutsideCount === 1
              ? '1 other booking is outside the present hours as well.'
              : `${alreadyOutsideCount} other bookings are outside the present hours as well.`}
          </Text>
        )}
        {firstBookings.length > 0 && (
          <List size="sm">
            {firstBookings.map((booking) => (
              <List.Item key={booking.id}>
                <Anchor
                  component={Link}
                  to={`/bookings?location=${id}&day=${toLocalDate(booking.startsAt, timeZone)}`}
                  target="_blank"
                  size="sm"
                >
                  {formatLocalDateTimeRange(booking.startsAt, booking.endsAt, timeZone)}
                </Anchor>
                , {booking.resource.name}
              </List.Item>
            ))}
            {more > 0 && <List.Item>and {more} more</List.Item>}
          </List>
        )}
      </Stack>
    </Alert>
  );
}

interface DayHoursFieldsProps {
  day: string;
  spans: DaySpan[];
  /** The initial value of a new span. */
  defaultSpan: DaySpan;
  problem: string | null;
  onChange: (spans: DaySpan[]) => void;
}

/** So that two inputs and a button fit in a row on a phone. */
const COMPACT_INPUT_STYLES = { input: { paddingInline: 8 } };

function DayHoursFields({ day, spans, defaultSpan, problem, onChange }: DayHoursFieldsProps) {
  const change = (index: number, part: Partial<DaySpan>) =>
    onChange(spans.map((span, position) => (position === index ? { ...span, ...part } : span)));
  const add = () =>
    onChange([...spans, spans.length === 0 ? defaultSpan : { opens: '', closes: '' }]);
  return (
    <fieldset className={classes.day}>
      <legend>{day}</legend>
      <Stack gap={6}>
        {spans.map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other identity
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              type="time"
              flex="1 1 0"
              maw={140}
              styles={COMPACT_INPUT_STYLES}
              aria-label={`${day} opens, ${index + 1}`}
              value={span.opens}
              error={problem !== null}
              onChange={({ currentTarget: { value } }) => change(index, { opens: value })}
            />
            <Text component="span" aria-hidden>
              –
            </Text>
            <TextInput
              type="time"
              flex="1 1 0"
              maw={140}
              styles={COMPACT_INPUT_STYLES}
              aria-label={`${day} closes, ${index + 1}`}
              value={span.closes}
              error={problem !== null}
              onChange={({ currentTarget: { value } }) => change(index, { closes: value })}
            />
            <CloseButton
              aria-label={`Remove hours ${index + 1} of ${day}`}
              onClick={() => onChange(spans.filter((_, position) => position !== index))}
            />
          </Group>
        ))}
        <Group gap="sm">
          {spans.length === 0 && (
            <Text size="sm" c="dimmed">
              Closed
            </Text>
          )}
          <Button size="compact-xs" variant="subtle" onClick={add} aria-label={`Add hours: ${day}`}>
            Add hours
          </Button>
        </Group>
        {problem && <Input.Error role="alert">{problem}</Input.Error>}
      </Stack>
    </fieldset>
  );
}
