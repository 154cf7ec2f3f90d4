export declare const disk: { delayMs: number; blocks: boolean; flushes: number; bytes: number };
