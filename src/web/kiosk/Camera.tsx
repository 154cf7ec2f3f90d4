import { Button } from '@mantine/core';
import { BarcodeDetector } from 'qr/decode.js';
import { useEffect, useRef, useState } from 'react';
import classes from './Kiosk.module.css';
import { understand } from './typed.ts';

const LOOK_EVERY_MS = 150;
const LONGEST_SECONDS = 45;
/** As in a mirror: so people find the way to its middle. Low enough for the button below it to be seen. */
const PICTURE = { transform: 'scaleX(-1)', maxHeight: '35vh' };

/** Whether there is one. Browsers tell so over https only; whether it may be used is asked when it is. */
export function useHasCamera(): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    const { mediaDevices } = navigator;
    if (!mediaDevices) return;
    const look = () =>
      mediaDevices.enumerateDevices().then(
        (devices) => setHas(devices.some(({ kind }) => kind === 'videoinput')),
        () => setHas(false),
      );
    void look();
    mediaDevices.addEventListener('devicechange', look);
    return () => mediaDevices.removeEventListener('devicechange', look);
  }, []);
  return has;
}

interface Props {
  onCode: (code: string) => void;
  onClose: () => void;
}

export function Camera({ onCode, onClose }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const told = useRef({ onCode, onClose });
  told.current = { onCode, onClose };

  useEffect(() => {
    let stream: MediaStream | undefined;
    let isOver = false;
    const given = setTimeout(() => told.current.onClose(), LONGEST_SECONDS * 1000);

    async function watch(): Promise<void> {
      const screen = video.current;
      if (!screen) return;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
      if (isOver) return stop(stream);
      screen.srcObject = stream;
      await screen.play();
      // Not the browser's own: Safari, Firefox and Chromium on Linux and Windows have none.
      const detector = new BarcodeDetector({ formats: ['qr_code'] });
      while (!isOver) {
        const [found] = await detector.detect(screen).catch(() => []);
        if (found?.rawValue && !isOver) return told.current.onCode(codeIn(found.rawValue));
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }

    watch().catch(() => {
      if (!isOver) setProblem('The camera cannot be used. Type your code instead.');
    });
    return () => {
      isOver = true;
      clearTimeout(given);
      if (stream) stop(stream);
    };
  }, []);

  return (
    <div className={classes.camera}>
      {problem === null ? (
        <video ref={video} muted playsInline aria-label="What the camera sees" style={PICTURE} />
      ) : (
        <p role="alert">{problem}</p>
      )}
      <div className={classes.others}>
        <Button variant="default" className={classes.other ?? ''} onClick={onClose}>
          Close the camera
        </Button>
      </div>
    </div>
  );
}

const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

/** Of a link to a ticket, too. Whatever else is held up is told as a code that is not known. */
function codeIn(seen: string): string {
  const typed = understand(seen);
  return typed.is === 'code' ? typed.code : seen;
}
