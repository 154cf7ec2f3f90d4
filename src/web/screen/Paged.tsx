import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './Screen.module.css';
import { useTurn } from './use-turn.ts';

interface Entry {
  key: string;
  shown: ReactNode;
}

interface Props {
  /** What the list is of. */
  label: string;
  entries: Entry[];
  now: Date;
  className?: string | undefined;
}

/** A list that turns its pages by itself where there is no room for all of it: nothing is left out for good. */
export function Paged({ label, entries, now, className }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [tops, setTops] = useState<number[]>([]);
  const [firsts, setFirsts] = useState([0]);

  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, list.current];
    if (outer === null || inner === null) return;
    const measure = () => {
      const drawn = [...inner.children] as HTMLElement[];
      setTops(same(drawn.map(({ offsetTop }) => offsetTop)));
      setFirsts(same(pagesOf(drawn, outer.clientHeight)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(outer);
    watch.observe(inner);
    return () => watch.disconnect();
  }); // after every drawing: the entries may be other ones

  const turn = useTurn(now, entries.map(({ key }) => key).join()) % firsts.length;
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
        {firsts.length > 1 && `${placesOf(first, end)} of ${entries.length}`}
      </p>
    </>
  );
}

/** With which entry each page begins; whatever the room, one is on each. */
function pagesOf(drawn: HTMLElement[], room: number): number[] {
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
const same = (next: number[]) => (before: number[]) =>
  before.join() === next.join() ? before : next;

const placesOf = (first: number, end: number) =>
  end - first > 1 ? `${first + 1}–${end}` : `${first + 1}`;
