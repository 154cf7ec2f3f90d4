import { Children, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './Screen.module.css';

/** A list of which whole entries are shown, as many as there is room for: nobody scrolls on a wall. */
export function Fitting({ children }: { children: ReactNode }) {
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
