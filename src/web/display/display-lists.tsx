import { Children, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { getText } from '../language/page-texts.ts';
import classes from './Display.module.css';

/** Shows as many whole entries as fit, because nobody can scroll a display. */
export function FitList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const entries = Children.toArray(children);
  const count = entries.length;
  const [visibleCount, setVisibleCount] = useState(count);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      const end = element.getBoundingClientRect().bottom + 1;
      const children = [...element.children];
      const overflow = children.findIndex((child) => child.getBoundingClientRect().bottom > end);
      setVisibleCount(overflow === -1 ? children.length : overflow);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }); // after every render, since the entries may have changed

  const hiddenCount = count - visibleCount;
  return (
    <>
      <ul ref={list} className={classes.fitList} data-fitting={visibleCount}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: visibility depends on the position
          <li key={index} className={classes.item} data-hidden={index >= visibleCount || undefined}>
            {entry}
          </li>
        ))}
      </ul>
      <p className={classes.more}>
        {hiddenCount > 0 ? getText('display.more', { count: hiddenCount }) : ''}
      </p>
    </>
  );
}

interface PagerEntry {
  key: string;
  content: ReactNode;
}

interface AutoPagerProps {
  label: string;
  entries: PagerEntry[];
  now: Date;
  className?: string | undefined;
}

/** Pages through a list automatically if not all of it fits, so that every entry is shown in turn. */
export function AutoPager({ label, entries, now, className }: AutoPagerProps) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [tops, setTops] = useState<number[]>([]);
  const [pageStarts, setPageStarts] = useState([0]);

  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, list.current];
    if (outer === null || inner === null) return;
    const measure = () => {
      const children = [...inner.children] as HTMLElement[];
      setTops(keepIfEqual(children.map(({ offsetTop }) => offsetTop)));
      setPageStarts(keepIfEqual(findPageStarts(children, outer.clientHeight)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }); // after every render, since the entries may have changed

  const page = useRotation(now, entries.map(({ key }) => key).join()) % pageStarts.length;
  const first = pageStarts[page] ?? 0;
  const end = Math.min(pageStarts[page + 1] ?? entries.length, entries.length);
  return (
    <>
      <div ref={frame} className={[classes.frame, className].join(' ')}>
        <ul
          ref={list}
          className={classes.pages}
          aria-label={label}
          style={{ transform: `translateY(-${tops[first] ?? 0}px)` }}
        >
          {entries.map(({ key, content }, index) => (
            <li
              key={key}
              className={classes.item}
              data-hidden={index < first || index >= end || undefined}
            >
              {content}
            </li>
          ))}
        </ul>
      </div>
      <p className={classes.position}>
        {pageStarts.length > 1 &&
          getText('display.position', {
            position: formatPositions(first, end),
            total: entries.length,
          })}
      </p>
    </>
  );
}

/** Returns the index at which each page begins. A page has at least one entry, however small the frame is. */
function findPageStarts(children: HTMLElement[], height: number): number[] {
  const starts = [0];
  let top = 0;
  children.forEach(({ offsetTop, offsetHeight }, index) => {
    if (offsetTop + offsetHeight - top <= height + 1 || index === starts.at(-1)) return;
    starts.push(index);
    top = offsetTop;
  });
  return starts;
}

/** Returns the previous array if nothing changed. A new one would cause an endless loop of renders. */
const keepIfEqual = (next: number[]) => (previous: number[]) =>
  previous.join() === next.join() ? previous : next;

const formatPositions = (first: number, end: number) =>
  end - first > 1 ? `${first + 1}–${end}` : `${first + 1}`;

const ROTATION_INTERVAL_SECONDS = 10;

/** Returns how many intervals have passed. Starts again at zero when `key` changes. */
export function useRotation(now: Date, key: string): number {
  const time = now.getTime();
  const [start, setStart] = useState({ key, time });
  if (start.key !== key) setStart({ key, time });
  return Math.max(0, Math.floor((time - start.time) / 1000 / ROTATION_INTERVAL_SECONDS));
}
