/** What became of the requests of one kind. */
export class Tally {
  readonly #waits = new Map<string, number[]>();
  readonly #errors = new Map<string, Map<string, number>>();

  /** `problem` is undefined where the answer is what the caller wished for. */
  record(kind: string, waitedMs: number, problem: string | undefined): void {
    const waits = this.#waits.get(kind) ?? [];
    this.#waits.set(kind, waits);
    waits.push(waitedMs);
    if (problem === undefined) return;
    const errors = this.#errors.get(kind) ?? new Map<string, number>();
    this.#errors.set(kind, errors);
    if (errors.size < 12 || errors.has(problem))
      errors.set(problem, (errors.get(problem) ?? 0) + 1);
  }

  rows() {
    return [...this.#waits].map(([kind, waits]) => {
      const sorted = waits.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
      const problems = this.#errors.get(kind) ?? new Map<string, number>();
      const errors = [...problems.values()].reduce((sum, count) => sum + count, 0);
      return { kind, requests: waits.length, errors, p50: at(0.5), p99: at(0.99), problems };
    });
  }
}
