import { useEffect, useRef } from 'react';

/** After so many seconds in which nobody touched or typed anything. */
export function useIdle(seconds: number, then: () => void): void {
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    const due = () => latest.current();
    let timer = setTimeout(due, seconds * 1000);
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(due, seconds * 1000);
    };
    const signs = ['pointerdown', 'keydown', 'input'];
    for (const sign of signs) document.addEventListener(sign, again);
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, again);
    };
  }, [seconds]);
}
