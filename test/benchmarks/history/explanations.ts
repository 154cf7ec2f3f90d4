/** Operations that may be slower than the others, by the beginning of their names, each with the reason. */
export const EXPLANATIONS: { names: RegExp; reason: string }[] = [];
