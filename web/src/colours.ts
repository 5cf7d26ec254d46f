// The colours of `areia render` (src/render/colour.cpp): the same formulae, so that pictures agree.
export type Rgb = [number, number, number]; // 0..1, as screens show them

// Oklab (B. Ottosson, 2020): equal distances look equally large.
function fromOklab(lightness: number, a: number, b: number): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const shown = (v: number) => {
    const c = Math.min(1, Math.max(0, v));
    return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
  };
  return [
    shown(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    shown(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    shown(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function fromPolar(lightness: number, chroma: number, degrees: number): Rgb {
  const angle = (degrees * Math.PI) / 180;
  return fromOklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}

// 0..1 from dark violet through blue and green to light yellow, lightness rising evenly.
export const mapColour = (s: number): Rgb =>
  fromPolar(0.39 + 0.53 * s, 0.13 + 0.035 * s, 305 - 200 * s ** 1.05);
// From nearly black through violet and orange to pale yellow: also in the lightness alone.
const fireColour = (s: number): Rgb => fromPolar(0.22 + 0.72 * s, 0.05 + 0.42 * s * (1 - s) + 0.05 * s, 290 + 165 * s);
// Blue, light grey, orange: two sides of a middle, told apart without red and green.
const divergingColour = (s: number): Rgb => {
  const side = Math.abs(2 * s - 1);
  return fromPolar(0.93 - 0.45 * side, 0.15 * side ** 0.9, s < 0.5 ? 255 : 50);
};
const greyColour = (s: number): Rgb => fromPolar(0.3 + 0.65 * s, 0, 0);
export const maps = { violet: mapColour, fire: fireColour, diverging: divergingColour, grey: greyColour };
export type MapName = keyof typeof maps;

// From light grey to dark red, for forces in chains; to dark blue for those that pull. On dark paper from dark to light.
export const chainColour = (s: number): Rgb => fromPolar(0.8 - 0.42 * s, 0.02 + 0.16 * Math.sqrt(s), 60 - 32 * s);
export const darkChainColour = (s: number): Rgb => fromPolar(0.42 + 0.48 * s, 0.03 + 0.13 * Math.sqrt(s), 30 + 65 * s);
export const pullColour = (s: number): Rgb => fromPolar(0.8 - 0.42 * s, 0.02 + 0.15 * Math.sqrt(s), 225 + 30 * s);
export const darkPullColour = (s: number): Rgb => fromPolar(0.42 + 0.48 * s, 0.03 + 0.11 * Math.sqrt(s), 260 - 45 * s);
// For groups and materials.
export const kindColour = (index: number): Rgb =>
  fromPolar(Math.floor(index / 8) % 2 === 0 ? 0.66 : 0.48, 0.13, [250, 55, 150, 25, 310, 95, 200, 350][index % 8]);

export const css = ([r, g, b]: Rgb, alpha = 1): string =>
  `rgba(${Math.round(255 * r)}, ${Math.round(255 * g)}, ${Math.round(255 * b)}, ${alpha})`;

export function table(colour: (s: number) => Rgb): Uint8Array {
  const bytes = new Uint8Array(4 * 256);
  for (let k = 0; k < 256; ++k) {
    const c = colour(k / 255);
    bytes.set([Math.round(255 * c[0]), Math.round(255 * c[1]), Math.round(255 * c[2]), 255], 4 * k);
  }
  return bytes;
}
export function kindTable(): Uint8Array {
  const bytes = new Uint8Array(4 * 256);
  for (let k = 0; k < 256; ++k) bytes.set([...kindColour(k).map((v) => Math.round(255 * v)), 255], 4 * k);
  return bytes;
}
