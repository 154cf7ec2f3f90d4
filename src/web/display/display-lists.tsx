import { Children, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './Display.module.css';

/** A list of which whole entries are shown, as many as there is room for: nobody scrolls on a wall. */
export function FitList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const entries = Children.toArray(children);
  const count = entries.length;
  const [fitting, setFitting] = useState(count);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      const end = element.getBoundingClientRect().bottom + 1;
      const drawn = [...element.children];
      const over = drawn.findIndex((entry) => entry.getBoundingClientRect().bottom > end);
      setFitting(over === -1 ? drawn.length : over);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }); // after every drawing: the entries may be other ones

  const more = count - fitting;
  return (
    <>
      <ul ref={list} className={classes.fitting} data-fitting={fitting}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what fits goes by the place
          <li key={index} className={classes.fit} data-hidden={index >= fitting || undefined}>
            {entry}
          </li>
        ))}
      </ul>
      <p className={classes.more}>{more > 0 ? `and ${more} more` : ''}</p>
    </>
  );
}

interface PagerEntry {
  key: string;
  shown: ReactNode;
}

interface AutoPagerProps {
  /** What the list is of. */
  label: string;
  entries: PagerEntry[];
  now: Date;
  className?: string | undefined;
}

/** A list that turns its pages by itself where there is no room for all of it: nothing is left out for good. */
export function AutoPager({ label, entries, now, className }: AutoPagerProps) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [tops, setTops] = useState<number[]>([]);
  const [firsts, setFirsts] = useState([0]);

  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, list.current];
    if (outer === null || inner === null) return;
    const measure = () => {
      const drawn = [...inner.children] as HTMLElement[];
      setTops(keepIfEqual(drawn.map(({ offsetTop }) => offsetTop)));
      setFirsts(keepIfEqual(findPageStarts(drawn, outer.clientHeight)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(outer);
    watch.observe(inner);
    return () => watch.disconnect();
  }); // after every drawing: the entries may be other ones

  const turn = useRotation(now, entries.map(({ key }) => key).join()) % firsts.length;
  const first = firsts[turn] ?? 0;
  const end = Math.min(firsts[turn + 1] ?? entries.length, entries.length);
  return (
    <>
      <div ref={frame} className={[classes.frame, className].join(' ')}>
        <ul
          ref={list}
          className={classes.pages}
          aria-label={label}
          style={{ transform: `translateY(-${tops[first] ?? 0}px)` }}
        >
          {entries.map(({ key, shown }, index) => (
            <li
              key={key}
              className={classes.fit}
              data-hidden={index < first || index >= end || undefined}
            >
              {shown}
            </li>
          ))}
        </ul>
      </div>
      <p className={classes.turn}>
        {firsts.length > 1 && `${formatPositions(first, end)} of ${entries.length}`}
      </p>
    </>
  );
}

/** With which entry each page begins; whatever the room, one is on each. */
function findPageStarts(drawn: HTMLElement[], room: number): number[] {
  const firsts = [0];
  let top = 0;
  drawn.forEach(({ offsetTop, offsetHeight }, index) => {
    if (offsetTop + offsetHeight - top <= room + 1 || index === firsts.at(-1)) return;
    firsts.push(index);
    top = offsetTop;
  });
  return firsts;
}

/** The same list as before where nothing moved: drawing it again would have no end. */
const keepIfEqual = (next: number[]) => (before: number[]) =>
  before.join() === next.join() ? before : next;

const formatPositions = (first: number, end: number) =>
  end - first > 1 ? `${first + 1}–${end}` : `${first + 1}`;

const ROTATION_INTERVAL_SECONDS = 10;

/** Whose turn it is, of things that are shown one after the other: counted anew when there are other ones. */
export function useRotation(now: Date, of: string): number {
  const at = now.getTime();
  const [began, setBegan] = useState({ of, at });
  if (began.of !== of) setBegan({ of, at });
  return Math.max(0, Math.floor((at - began.at) / 1000 / ROTATION_INTERVAL_SECONDS));
}
