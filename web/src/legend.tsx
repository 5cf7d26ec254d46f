// The scale of colours, beside the picture and in the file that is saved of it.
import { chainColour, css, darkChainColour, kindColour, mapColour, type Rgb } from './colours';
import type { Range } from './colouring';
import { short } from './numbers';
import { t } from './texts';
import { theme } from './theme';

export interface LegendData {
  title: string;
  range: Range | null; // nothing: kinds with their names
  names: string[];
  chains: boolean;
}

const ticks = (r: Range) => [1, 0.75, 0.5, 0.25, 0].map((s) => ({ s, text: short(r.low + s * (r.high - r.low), 3) }));
const colourOfBar = (chains: boolean) => (!chains ? mapColour : theme.value === 'dark' ? darkChainColour : chainColour);
const gradient = (colour: (s: number) => Rgb) => {
  const stops = Array.from({ length: 17 }, (_, k) => css(colour(k / 16)));
  return `linear-gradient(to top, ${stops.join(', ')})`;
};

export function Legend({ data }: { data: LegendData }) {
  const flat = data.range && !(data.range.high > data.range.low);
  return (
    <div class="legend" id="legend">
      <b>{data.title}</b>
      {data.range === null && (
        <ul>{data.names.map((n, k) => <li key={n}><i style={{ background: css(kindColour(k)) }} />{n}</li>)}</ul>
      )}
      {data.range && flat && <span class="same">{short(data.range.low)}</span>}
      {data.range && !flat && (
        <div class="bar">
          <i style={{ background: gradient(colourOfBar(data.chains)) }} />
          <div>{ticks(data.range).map((tick, k) => <span key={tick.s}>{k === 0 && data.range!.beyond ? '≥ ' : ''}{tick.text}</span>)}</div>
        </div>
      )}
      {data.range?.beyond && <small>{t('beyond')}</small>}
    </div>
  );
}

// Picture, caption and legend as one file.
export function composed(canvas: HTMLCanvasElement, caption: [string, string], data: LegendData, ink: string): Promise<Blob> {
  const sheet = document.createElement('canvas');
  sheet.width = canvas.width;
  sheet.height = canvas.height;
  const g = sheet.getContext('2d') as CanvasRenderingContext2D;
  g.drawImage(canvas, 0, 0);
  const u = canvas.width / canvas.clientWidth;
  g.fillStyle = ink;
  g.textBaseline = 'top';
  g.font = `600 ${16 * u}px system-ui, sans-serif`;
  g.fillText(caption[0], 16 * u, 14 * u);
  g.font = `${13 * u}px system-ui, sans-serif`;
  g.fillText(caption[1], 16 * u, 38 * u);
  const left = sheet.width - 120 * u;
  g.font = `600 ${13 * u}px system-ui, sans-serif`;
  g.textAlign = 'right';
  g.fillText(data.title, sheet.width - 16 * u, 14 * u);
  g.textAlign = 'left';
  g.font = `${12 * u}px system-ui, sans-serif`;
  const top = 40 * u, height = Math.min(220 * u, sheet.height - 80 * u);
  if (data.range) {
    const colour = colourOfBar(data.chains);
    for (let k = 0; k < height; ++k) {
      g.fillStyle = css(colour(1 - k / height));
      g.fillRect(left, top + k, 16 * u, 2);
    }
    g.fillStyle = ink;
    for (const tick of ticks(data.range)) g.fillText((tick.s === 1 && data.range.beyond ? '≥ ' : '') + tick.text, left + 24 * u, top + (1 - tick.s) * height - 6 * u);
  } else
    data.names.forEach((name, k) => {
      g.fillStyle = css(kindColour(k));
      g.fillRect(left, top + 22 * u * k, 14 * u, 14 * u);
      g.fillStyle = ink;
      g.fillText(name, left + 22 * u, top + 22 * u * k + u);
    });
  return new Promise((done, fail) => sheet.toBlob((b) => (b ? done(b) : fail(new Error('no picture')))));
}
