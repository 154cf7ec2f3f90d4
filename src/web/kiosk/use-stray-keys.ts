import { useEffect, useRef } from 'react';

/** What is typed while no field has the focus: a hand-held scanner does not click into one first. */
export function useStrayKeys(wanted: boolean, take: (keys: string) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!wanted) return;
    const onKey = (event: KeyboardEvent) => {
      const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      // The space bar presses the button that has the focus.
      if (!isTyped || event.key === ' ' || isField(document.activeElement)) return;
      event.preventDefault();
      latest.current(event.key);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [wanted]);
}

const isField = (element: Element | null) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
