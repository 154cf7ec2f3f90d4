import { useEffect, useRef } from 'react';

const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'input'];

/** Calls `onIdle` after a number of seconds without touch or keyboard input. */
export function useIdle(seconds: number, onIdle: () => void): void {
  const latest = useRef(onIdle);
  latest.current = onIdle;
  useEffect(() => {
    const expire = () => latest.current();
    let timer = setTimeout(expire, seconds * 1000);
    const reset = () => {
      clearTimeout(timer);
      timer = setTimeout(expire, seconds * 1000);
    };
    for (const name of ACTIVITY_EVENTS) document.addEventListener(name, reset);
    return () => {
      clearTimeout(timer);
      for (const name of ACTIVITY_EVENTS) document.removeEventListener(name, reset);
    };
  }, [seconds]);
}
