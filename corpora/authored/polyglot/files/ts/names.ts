export function plainFunction(a: number, b = `${a}`) { return a as any; }
export namespace Space { export const value = 1_000n; }
