export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) / 2, sorted.length / 2].map(Math.floor);
  return ((sorted[low ?? 0] ?? Number.NaN) + (sorted[high ?? 0] ?? Number.NaN)) / 2;
}
