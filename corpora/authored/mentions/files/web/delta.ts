export function deltaWave(value: Wave): Wave {
  return value;
}

export interface Wave {
  height: number;
}
