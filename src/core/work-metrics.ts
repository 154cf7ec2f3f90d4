/** How an attempt at leased work ended. */
export type AttemptResult = 'succeeded' | 'retried' | 'failed' | 'released' | 'settled';

/** Counts what a process does apart from requests. */
export interface WorkMetrics {
  /** `error` says why the run failed. */
  countJobRun(job: string, outcome: 'succeeded' | 'failed', seconds: number, error?: string): void;
  /**
   * `queue` is the name of a `WorkQueue`. `outage` says why the other side, such as the mail server, could not be reached. It is
   * absent if it responded, also if it rejected the work.
   */
  countAttempt(queue: string, outcome: AttemptResult, seconds: number, outage?: string): void;
}

/** What waits, has failed or is off in the whole space, for operators. */
export interface Backlog {
  emails: { waiting: number; failed: number };
  /** For how many seconds the email that is most overdue should have been attempted. 0 without a mail server. */
  emailDelaySeconds: number;
  /** `paused` ones wait until their webhook works again. */
  deliveries: { waiting: number; paused: number; failed: number };
  deliveryDelaySeconds: number;
  /** Webhooks that someone or a job has disabled, or whose owner may not read what they send. */
  disabledWebhooks: number;
  displays: Record<'online' | 'stale' | 'offline' | 'revoked', number>;
}
