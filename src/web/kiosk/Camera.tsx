import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './Kiosk.module.css';

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

const detectorClass = () =>
  (window as unknown as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** Few browsers can, and only over https. */
export const hasCamera = () => Boolean(detectorClass() && navigator.mediaDevices);

const LOOK_EVERY_MS = 250;
const LONGEST_SECONDS = 45;

interface Props {
  onCode: (text: string) => void;
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
      const Detector = detectorClass();
      const screen = video.current;
      if (!Detector || !screen) return;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
      if (isOver) return stop(stream);
      screen.srcObject = stream;
      await screen.play();
      const detector = new Detector({ formats: ['qr_code'] });
      while (!isOver) {
        const [found] = await detector.detect(screen).catch(() => []);
        if (found?.rawValue && !isOver) return told.current.onCode(found.rawValue);
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
        <video ref={video} muted playsInline aria-label="What the camera sees" />
      ) : (
        <p role="alert">{problem}</p>
      )}
      <Button variant="default" className={classes.other ?? ''} onClick={onClose}>
        Close the camera
      </Button>
    </div>
  );
}

const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};
