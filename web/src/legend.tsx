// The scale of colours, beside the picture and in the file that is saved of it.
import { chainColour, css, darkChainColour, darkPullColour, kindColour, maps, pullColour, type MapName, type Rgb } from './colours';
import type { Range } from './colouring';
import { short } from './numbers';
import { t } from './texts';
import { theme } from './theme';

export interface LegendData {
  title: string;
  range: Range | null; // nothing: kinds with their names
  names: string[];
  map: MapName | 'chains' | 'pulls'; // pulls: chains of which some pull, with a bar for each
}

const ticks = (r: Range) => [1, 0.75, 0.5, 0.25, 0].map((s) => ({ s, text: short(r.low + s * (r.high - r.low), 3) }));
// One bar, or two beside each other.
function bars(map: LegendData['map']): ((s: number) => Rgb)[] {
  const dark = theme.value === 'dark';
  if (map !== 'chains' && map !== 'pulls') return [maps[map]];
  const push = dark ? darkChainColour : chainColour;
  return map === 'chains' ? [push] : [push, dark ? darkPullColour : pullColour];
}
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
          {bars(data.map).map((colour, k) => <i key={k} style={{ background: gradient(colour) }} />)}
          <div>{ticks(data.range).map((tick, k) => <span key={tick.s}>{k === 0 && data.range!.beyond ? '≥ ' : ''}{tick.text}</span>)}</div>
        </div>
      )}
      {data.map === 'pulls' && <small>{t('pushes')} · {t('pulls')}</small>}
      {data.range?.beyond && <small>{t('beyond')}</small>}
      {data.range?.at_rest && <small>{t('allAtRest')}</small>}
    </div>
  );
}

// Pictures above each other, caption and legend on one sheet. `width`: of the picture in pixels of the page.
export function compose(sheet: HTMLCanvasElement, width: number, pictures: HTMLCanvasElement[], caption: [string, string], data: LegendData | null, ink: string): void {
  const g = sheet.getContext('2d') as CanvasRenderingContext2D;
  for (const picture of pictures) if (picture.width) g.drawImage(picture, 0, 0, sheet.width, sheet.height);
  const u = sheet.width / width;
  g.fillStyle = ink;
  g.textBaseline = 'top';
  g.textAlign = 'left';
  g.font = `600 ${16 * u}px system-ui, sans-serif`;
  g.fillText(caption[0], 16 * u, 14 * u);
  g.font = `${13 * u}px system-ui, sans-serif`;
  g.fillText(caption[1], 16 * u, 38 * u);
  if (!data) return;
  const left = sheet.width - 120 * u;
  g.font = `600 ${13 * u}px system-ui, sans-serif`;
  g.textAlign = 'right';
  g.fillText(data.title, sheet.width - 16 * u, 14 * u);
  g.textAlign = 'left';
  g.font = `${12 * u}px system-ui, sans-serif`;
  const top = 40 * u, height = Math.min(220 * u, sheet.height - 80 * u);
  if (data.range) {
    bars(data.map).forEach((colour, n) => {
      for (let k = 0; k < height; ++k) {
        g.fillStyle = css(colour(1 - k / height));
        g.fillRect(left - 20 * u * n, top + k, 16 * u, 2);
      }
    });
    g.fillStyle = ink;
    for (const tick of ticks(data.range)) g.fillText((tick.s === 1 && data.range.beyond ? '≥ ' : '') + tick.text, left + 24 * u, top + (1 - tick.s) * height - 6 * u);
    if (data.map === 'pulls') g.fillText(`${t('pulls')} · ${t('pushes')}`, left - 20 * u, top + height + 10 * u);
  } else
    data.names.forEach((name, k) => {
      g.fillStyle = css(kindColour(k));
      g.fillRect(left, top + 22 * u * k, 14 * u, 14 * u);
      g.fillStyle = ink;
      g.fillText(name, left + 22 * u, top + 22 * u * k + u);
    });
}
