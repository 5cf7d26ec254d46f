// Series over time. The line of the present frame stands in every plot; a click in one goes to that time.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { getCsv, getSeries, save, type Series } from './api';
import { css, kindColour } from './colours';
import { short } from './numbers';
import { problem } from './runs';
import { useSignal } from './signal';
import { language, t } from './texts';
import { colourOf, theme } from './theme';

const units = new Set(['J', 'N', 'Nm', 'm', 's', 'kg', 'Pa', 'deg', 'rad', 'm/s', 'rad/s', 'm2/s2', 'kg/m3', 'kg/s', '1/s', 'm2', 'm3', 'W', 'C', 'K', 'J/m2']);

// "floor.force_x_N": what it is, and its unit.
export function label(name: string): { name: string; unit: string } {
  const at = name.lastIndexOf('_');
  const unit = at > 0 ? name.slice(at + 1) : '';
  return units.has(unit) ? { name: name.slice(0, at).replaceAll('_', ' '), unit } : { name: name.replaceAll('_', ' '), unit: '' };
}

export interface Curve {
  name: string;
  values: ArrayLike<number>;
  stroke: string;
  fill?: string;
  dash?: number[];
  shown?: ArrayLike<number>; // what the legend tells, where it is not what is drawn
}

export function Plot(p: {
  id?: string; times: Float64Array; curves: Curve[]; unit: string; now: number; go: (time: number) => void; height?: number;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const now = useRef(p.now);
  const go = useRef(p.go);
  go.current = p.go;
  const mode = useSignal(theme);
  const spoken = useSignal(language);

  // Without a cursor the legend tells the values of the present time.
  const tellNow = (u: uPlot) => {
    if (u.cursor.idx !== null && u.cursor.idx !== undefined) return;
    const times = u.data[0];
    let nearest = 0;
    for (let k = 1; k < times.length; ++k) if (Math.abs(times[k] - now.current) < Math.abs(times[nearest] - now.current)) nearest = k;
    if (times.length) u.setLegend({ idx: nearest }, false);
  };
  useEffect(() => {
    const place = holder.current as HTMLDivElement;
    const ink = colourOf('--soft'), grid = colourOf('--line');
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '11px system-ui, sans-serif' };
    const data = [p.times, ...p.curves.map((c) => c.values)] as unknown as uPlot.AlignedData;
    const made = new uPlot({
      width: place.clientWidth, height: p.height ?? 190,
      padding: [10, 12, 0, 0],
      scales: { x: { time: false } },
      axes: [
        { ...axis, size: 34, values: (_, all) => all.map((v) => `${short(v)}`) },
        { ...axis, size: 62, values: (_, all) => all.map((v) => short(v, 3)) },
      ],
      series: [
        { label: `${t('time').toLowerCase()} (s)`, value: (_, v) => (v === null || v === undefined ? '–' : short(v)) },
        ...p.curves.map((c): uPlot.Series => ({
          label: c.name, stroke: c.stroke, width: 1.5, points: { show: false }, ...(c.fill ? { fill: c.fill } : {}),
          ...(c.dash ? { dash: c.dash } : {}),
          value: (_, v, __, k) => {
            const told = c.shown && k !== null && k !== undefined ? c.shown[k] : v;
            return told === null || told === undefined ? '–' : short(told);
          },
        })),
      ],
      cursor: { sync: { key: 'areia' }, points: { size: 6 }, drag: { x: true, y: false } },
      hooks: {
        draw: [(u) => {
          const x = u.valToPos(now.current, 'x', true);
          if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
          u.ctx.save();
          u.ctx.strokeStyle = colourOf('--accent');
          u.ctx.setLineDash([]);
          u.ctx.lineWidth = 2 * devicePixelRatio;
          u.ctx.beginPath();
          u.ctx.moveTo(x, u.bbox.top);
          u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
          u.ctx.stroke();
          u.ctx.restore();
        }],
        setCursor: [tellNow],
        ready: [(u) => {
          // a click, not the end of a drag that zooms
          let from = 0;
          u.over.addEventListener('pointerdown', (e) => (from = e.clientX));
          u.over.addEventListener('pointerup', (e) => {
            if (Math.abs(e.clientX - from) < 3) go.current(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, 'x'));
          });
        }],
      },
    }, data, place);
    plot.current = made;
    tellNow(made);
    const watcher = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: p.height ?? 190 }));
    watcher.observe(place);
    return () => {
      watcher.disconnect();
      made.destroy();
    };
  }, [p.times, p.curves, mode, spoken]);

  useEffect(() => {
    now.current = p.now;
    plot.current?.redraw(false);
    if (plot.current) tellNow(plot.current);
  }, [p.now]);

  return (
    <figure class="plot" id={p.id} data-now={p.now}>
      <figcaption>{p.unit}</figcaption>
      <div ref={holder} />
    </figure>
  );
}

export const rises = (times: Float64Array): boolean => {
  for (let k = 1; k < times.length; ++k) if (!(times[k] > times[k - 1])) return false;
  return times.length > 1;
};

// Curves of one unit share a plot; what has none stands alone.
function groups(series: Series): { unit: string; curves: Curve[] }[] {
  const found = new Map<string, { unit: string; curves: Curve[] }>();
  series.names.forEach((name, k) => {
    if (k === 0 || series.columns[k].every(Number.isNaN)) return;
    const what = label(name);
    const key = what.unit || `= ${name}`;
    const group = found.get(key) ?? { unit: what.unit || what.name, curves: [] };
    group.curves.push({ name: what.name, values: series.columns[k], stroke: css(kindColour(group.curves.length)) });
    found.set(key, group);
  });
  return [...found.values()];
}

// Asked for again when the run has gone on.
export function useSeries(run: string, name: string, version: number): { series: Series | null; failure: string } {
  const [state, setState] = useState<{ name: string; series: Series | null; failure: string }>({ name, series: null, failure: '' });
  useEffect(() => {
    let over = false;
    if (name)
      getSeries(run, name)
        .then((series) => !over && setState({ name, series, failure: '' }))
        .catch((e) => !over && setState({ name, series: null, failure: problem(e) }));
    return () => {
      over = true;
    };
  }, [run, name, version]);
  return state.name === name ? state : { series: null, failure: '' }; // not that of another series
}

export function PlotsPane(p: { run: string; names: string[]; version: number; now: number; go: (time: number) => void }) {
  const [name, setName] = useState(p.names.includes('state') ? 'state' : p.names[0] ?? '');
  const { series, failure } = useSeries(p.run, name, p.version);
  const shown = useMemo(() => series && { of: series, plots: rises(series.columns[0]) ? groups(series) : [] }, [series]);
  if (!p.names.length) return <p class="empty">{t('noSeries')}</p>;
  return (
    <div class="pane">
      <div class="row">
        <label>{t('series')}
          <select id="series" value={name} onChange={(e) => setName(e.currentTarget.value)}>
            {p.names.map((n) => <option key={n}>{n}</option>)}
          </select>
        </label>
        <button id="save-csv" onClick={async () => save(await getCsv(p.run, name), `${name}.csv`)}>{t('saveCsv')}</button>
      </div>
      {failure && <p class="failure">{failure}</p>}
      {shown && shown.plots.length === 0 && <p class="empty">{t('noPlot')}</p>}
      {shown?.plots.map((g) => <Plot key={`${name} ${g.unit}`} times={shown.of.columns[0]} curves={g.curves} unit={g.unit} now={p.now} go={p.go} />)}
    </div>
  );
}
