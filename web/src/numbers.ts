// Numbers as people read them.
export function short(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(digits)));
}

export const counted = (value: number, language: string): string => value.toLocaleString(language);

// SI units of the arrays of frames.
export const unitOf: Record<string, string> = {
  position: 'm', radius: 'm', velocity: 'm/s', spin: 'rad/s', force: 'N', torque: 'N m', mass: 'kg', charge: 'C', height: 'm', origin: 'm',
};
